import Breadcrumbs
import CrashscanOutput
import Foundation
import Testing
import TextOutput

@Suite("show leaves out what was not asked for")
struct SelectionTests {
  @Test("--last keeps the newest")
  func last() throws {
    let path = try Log.recorded { recorder in
      for number in 0..<10 { recorder.record("crumb \(number)", data: [:]) }
    }
    let lines = try Log.lines(Tool.run("show", path, "--last", "2"))
    #expect(lines.count == 2)
    #expect(lines[0].hasSuffix("crumb 8") && lines[1].hasSuffix("crumb 9"))
    #expect(try Log.lines(Tool.run("show", path, "--last=0")).isEmpty)
  }

  @Test("--category keeps categories and kinds, several of them if asked")
  func category() throws {
    let path = try Log.recorded { recorder in
      recorder.record("a request", category: "net")
      recorder.record("a row", category: "table")
      recorder.record("a query", category: "db")
      recorder.recordLifecycle(.didBecomeActive, stack: .never)
    }
    #expect(try Log.lines(Tool.run("show", path, "--category", "net")).count == 1)
    let two = try Log.lines(Tool.run("show", path, "--category", "net", "--category", "db"))
    #expect(two.map { $0.hasSuffix("a request") || $0.hasSuffix("a query") } == [true, true])
    #expect(try Log.lines(Tool.run("show", path, "--category", "lifecycle")).count == 1)
  }

  @Test("--thread keeps a thread by its name or kernel id")
  func thread() throws {
    let path = try Log.recorded { recorder in
      recorder.record("by the test")
      Log.onThread(named: "price-worker") { recorder.record("by the worker") }
    }
    let byName = try Log.lines(Tool.run("show", path, "--thread", "price"))
    #expect(byName.count == 1 && byName[0].hasSuffix("by the worker"))
    let id = try #require(byName[0].firstMatch(of: #/(\d+) price-worker/#))
    let byID = try Log.lines(Tool.run("show", path, "--thread", String(id.1)))
    #expect(byID == byName)
  }

  @Test("A thread or category that is nowhere in the log is said on standard error")
  func misses() throws {
    let path = try Log.recorded { $0.record("here") }
    let outcome = try Tool.run("show", path, "--thread", "nobody", "--category", "nothing")
    #expect(outcome.status == 0 && Log.lines(outcome).isEmpty)
    #expect(outcome.errors.contains("no thread has the id or name 'nobody'"))
    #expect(outcome.errors.contains("no crumb has the category 'nothing'"))
  }

  @Test("--since with a span counts back from the last crumb")
  func sinceSpan() throws {
    let path = try Log.recorded { recorder in
      recorder.record("early")
      usleep(300_000)
      recorder.record("late")
    }
    let lines = try Log.lines(Tool.run("show", path, "--since", "150ms"))
    #expect(lines.count == 1 && lines[0].hasSuffix("late"))
    #expect(try Log.lines(Tool.run("show", path, "--since", "1h")).count == 2)
  }

  @Test("--since with a time keeps what came then and later")
  func sinceTime() throws {
    var between = Date()
    let path = try Log.recorded { recorder in
      recorder.record("early")
      usleep(20_000)
      between = Date()
      usleep(20_000)
      recorder.record("late")
    }
    let time = between.formatted(.iso8601.time(includingFractionalSeconds: true))
    let day = between.formatted(.iso8601.year().month().day())
    for moment in ["\(day)T\(time)Z", "\(day) \(time)Z"] {
      let lines = try Log.lines(Tool.run("show", path, "--since", moment))
      #expect(lines.count == 1 && lines[0].hasSuffix("late"), "\(moment)")
    }
  }

  @Test(
    "Spans and times are read",
    arguments: [
      "30s": 30, "5m": 300, "1.5h": 5400, "2d": 172_800,
      // The end is 2001-09-09 01:46:40 in UTC.
      "01:46Z": 40, "01:46:40Z": 0, "01:46:41Z": 86_399, "2001-09-08 23:00Z": 10_000,
      "2001-09-08T23:00:01Z": 9_999,
    ] as [String: UInt64])
  func readable(text: String, secondsBeforeEnd: UInt64) throws {
    let since = try #require(Since(text))
    let start = since.start(endingAt: WallTime(nanoseconds: 1_000_000_000 * 1_000_000_000))
    #expect(start.nanoseconds == (1_000_000_000 - secondsBeforeEnd) * 1_000_000_000)
  }

  @Test(
    "What is neither a span nor a time is refused",
    arguments: [
      "", "s", "30", "-5s", "5x", "25:00", "12:60", "12", "1e9s", "12:30:15:00", "2001-13-01 10:00",
      "yesterday", "12:30.5", "12:30:15.", "٣s",
    ])
  func unreadable(text: String) { #expect(Since(text) == nil) }
}
