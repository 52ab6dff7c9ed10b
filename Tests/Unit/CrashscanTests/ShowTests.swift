import Breadcrumbs
import Dispatch
import Foundation
import ProcessTesting
import Testing

@Suite("show prints what a log holds")
struct ShowTests {
  @Test("A crumb is a line: time, thread, queue, main or not, level, category, message, data")
  func line() throws {
    let path = try Log.recorded { recorder in
      DispatchQueue(label: "com.example.downloads").sync {
        recorder.record(
          "download ended", level: .warning, category: "net",
          data: ["url": "/a b", "bytes": 12, "ratio": 0.5, "isWhole": true])
      }
    }
    let line = try #require(try Log.lines(Tool.run("show", path)).first)
    let pattern =
      #/
      \d\d:\d\d:\d\d\.\d{3} \ {11} \d+ \ .* \ off\ \ \ com\.example\.downloads \ \ warning
      \ \ net:\ download\ ended\ url="/a\ b"\ bytes=12\ ratio=0\.5\ isWhole=true
      /#
    #expect(line.wholeMatch(of: pattern) != nil, "\(line)")
  }

  @Test("A line tells how long it came after the one before")
  func deltas() throws {
    let path = try Log.recorded { recorder in
      recorder.record("first")
      usleep(20_000)
      recorder.record("second")
    }
    let lines = try Log.lines(Tool.run("show", path))
    #expect(lines.count == 2)
    let delta = try #require(lines[1].firstMatch(of: #/\+(\d+(?:\.\d+)?) (ms|s) /#))
    #expect(try #require(Double(delta.1)) >= (delta.2 == "ms" ? 20 : 1))
  }

  @Test("A log of this process says that it still runs, a closed one that it exited normally")
  func endings() throws {
    let path = TestFiles.path("breadcrumbs.log")
    let recorder = try BreadcrumbRecorder(path: path, capacity: 1 << 20, automatic: [])
    recorder.record("here")
    #expect(try Tool.run("show", path).output.contains("still running"))
    recorder.close()
    let output = try Tool.run("show", path).output
    #expect(output.contains("exited normally"))
    #expect(output.contains(", process \(getpid()): "))
  }

  // Swift Testing runs a test in a process of its own from 6.2 on, and hands it values from 6.3 on.
  #if compiler(>=6.3)
    @Test("A process that was killed left every crumb, and is said to have been")
    func killed() async throws {
      let path = TestFiles.path("breadcrumbs.log")
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        let recorder = try BreadcrumbRecorder(path: path, capacity: 1 << 20, automatic: [])
        for number in 0..<100 { recorder.record("crumb \(number) stands", data: [:]) }
        kill(getpid(), SIGKILL)
      }
      let outcome = try Tool.run("show", path)
      #expect(outcome.status == 0)
      #expect(
        outcome.output.contains(
          "was killed, or called _exit, or crashed without a crash handler"))
      for number in 0..<100 { #expect(outcome.output.contains("crumb \(number) stands\n")) }
    }
  #endif

  @Test("What was overwritten is counted by kind")
  func losses() throws {
    let path = try Log.recorded(capacity: 256 << 10) { recorder in
      for number in 0..<20_000 { recorder.record("crumb \(number)", data: [:]) }
    }
    let output = try Tool.run("show", path).output
    let gone = try #require(
      output.firstMatch(of: #/lost: ([\d,]+) note, overwritten by newer crumbs/#))
    let kept = Log.lines(output).count
    #expect(Int(gone.1.replacing(",", with: "")) == 20_000 - kept)
    #expect(output.contains("crumb 19999\n"))
  }

  @Test("A report says how little of its run a log holds, and nothing where it holds all")
  func shortfall() throws {
    struct Document: Decodable {
      struct Input: Decodable { var heldSince, shortfall: String? }
      var inputs: [Input]
    }
    for (crumbs, isShort) in [(200, false), (20_000, true)] {
      let path = try Log.recorded(capacity: 256 << 10) { recorder in
        for number in 0..<crumbs { recorder.record("crumb \(number)", data: [:]) }
      }
      let text = try Tool.run("report", path).output
      let said = text.firstMatch(
        of: #/\n  (The log holds the last .* of .*: newer crumbs .* “capacity”)\n/#)
      #expect((said != nil) == isShort, "\(text)")
      let json = try Tool.run("report", path, "--format", "json").output
      let input = try #require(
        try JSONDecoder().decode(Document.self, from: Data(json.utf8)).inputs.first)
      #expect((input.heldSince != nil) == isShort)
      #expect(input.shortfall == (said?.1).map(String.init))
    }
  }

  @Test("A damaged part is said with its offset, and what follows it is shown")
  func damage() throws {
    let path = try Log.recorded { recorder in
      recorder.record("before it")
      recorder.record("the damaged one")
      recorder.record("after it")
    }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let place = try #require(bytes.range(of: Data("the damaged one".utf8)))
    bytes[place.lowerBound] ^= 1
    try bytes.write(to: URL(fileURLWithPath: path))
    let output = try Tool.run("show", path).output
    let said = try #require(
      output.firstMatch(of: #/not read: (\d+) bytes at offset (\d+): damaged/#))
    let (length, offset) = (try #require(Int(said.1)), try #require(Int(said.2)))
    #expect((offset..<offset + length).contains(place.lowerBound))
    #expect(output.contains("before it\n") && output.contains("after it\n"))
    #expect(!output.contains("amaged one"))
  }

  @Test("Queues that share a label are told apart by their serial numbers")
  func sharedLabels() throws {
    let path = try Log.recorded { recorder in
      for _ in 0..<2 { DispatchQueue(label: "twin").sync { recorder.record("here") } }
      DispatchQueue(label: "single").sync { recorder.record("here") }
    }
    let output = try Tool.run("show", path).output
    #expect(output.matches(of: #/ twin#\d+ /#).count == 2)
    #expect(output.contains(" single "))
  }

  @Test("The header's notes are shown when asked for")
  func notes() throws {
    let path = try Log.recorded { $0.record("here") }
    #expect(try !Tool.run("show", path).output.contains("note: "))
    #expect(try Tool.run("show", path, "--verbose").output.contains("note: stacks walked by"))
  }

  @Test("What is no log, or is not there, ends with 2 and says why")
  func unreadable() throws {
    let missing = try Tool.run("show", "/nowhere/breadcrumbs.log")
    #expect(missing.status == 2 && missing.output.isEmpty)
    #expect(missing.errors.contains("/nowhere/breadcrumbs.log: cannot be opened: No such file"))
    let other = try Tool.run("show", "/etc/passwd")
    #expect(other.status == 2 && other.output.isEmpty)
    #expect(other.errors.contains("is not a breadcrumb log"))
    #expect(try Tool.run("show", "/tmp").status == 2)
  }

  @Test("A reader that goes away ends it quietly")
  func brokenPipe() throws {
    let path = try Log.recorded { recorder in
      for number in 0..<5_000 { recorder.record("crumb \(number)", data: [:]) }
    }
    let outcome = try Tool.run("/bin/sh", ["-c", "'\(Tool.path)' show '\(path)' | head -n 1"])
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    #expect(outcome.output.split(separator: "\n").count == 1)
  }
}
