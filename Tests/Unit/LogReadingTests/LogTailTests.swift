import LogReading
import Breadcrumbs
import Glibc
import IncidentModel
import Testing

/// Logs that are followed while they are written.
struct LogTailTests {
  /// A path in a directory of its own, which goes when the test is over.
  private func inDirectory(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/mainstay-tail-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CancellationError() }
    let directory = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    defer {
      for name in ["breadcrumbs.log", "breadcrumbs.1.log"] { unlink("\(directory)/\(name)") }
      rmdir(directory)
    }
    try body(directory + "/breadcrumbs.log")
  }

  private func crumbs(_ news: LogTail.PollResult) -> [Crumb] {
    var crumbs: [Crumb] = []
    news.forEach { crumbs.append(Crumb($0)) }
    return crumbs
  }

  private func texts(_ news: LogTail.PollResult) -> [String] { crumbs(news).map(\.message) }

  @Test func eachPollHasWhatCameSinceTheOneBefore() throws {
    try inDirectory { path in
      let recorder = try BreadcrumbRecorder(path: path, capacity: 1 << 20, automatic: [])
      defer { recorder.close() }
      recorder.record("before")
      let tail = try LogTail(path: path)
      #expect(texts(try tail.poll()) == ["before"])
      #expect(try tail.poll().count == 0)
      for number in 0..<300 { recorder.record("crumb \(number)", data: [:]) }
      #expect(texts(try tail.poll()) == (0..<300).map { "crumb \($0)" })
      recorder.record("an error", level: .error)
      recorder.record("and a note")
      #expect(texts(try tail.poll()) == ["an error", "and a note"])
      #expect(tail.status.ending == .running)
    }
  }

  @Test func pollsTogetherHaveWhatTheReaderHas() throws {
    try inDirectory { path in
      let recorder = try BreadcrumbRecorder(path: path, capacity: 256 << 10, automatic: [])
      let tail = try LogTail(path: path)
      var followed: [Crumb] = []
      // Many times round the log, which is read oftener than its chunks are taken anew.
      for number in 0..<20_000 {
        recorder.record(
          "crumb \(number)", category: "round", data: ["number": .integer(number)])
        if number % 50 == 0 { followed += crumbs(try tail.poll()) }
      }
      recorder.close()
      followed += crumbs(try tail.poll())
      #expect(followed.map(\.message) == (0..<20_000).map { "crumb \($0)" })
      let kept = try LogReader(path: path).read().crumbs
      #expect(kept.map(\.message) == followed.suffix(kept.count).map(\.message))
      #expect(kept.last?.monotonic == followed.last?.monotonic)
      #expect(kept.last?["number"] == followed.last?["number"])
      #expect(tail.status.ending == .clean)
    }
  }

  @Test func whatIsNewerThanTheFirstLookWaitsForTheNextPoll() throws {
    try inDirectory { path in
      let recorder = try BreadcrumbRecorder(path: path, capacity: 256 << 10, automatic: [])
      defer { recorder.close() }
      let tail = try LogTail(path: path)
      recorder.record("here")
      #expect(texts(try tail.poll { recorder.record("there") }) == ["here"])
      #expect(texts(try tail.poll { recorder.record("and on") }) == ["there"])
      #expect(texts(try tail.poll()) == ["and on"])
    }
  }

  /// What a thread leaves between the two looks is in several chunks, of which some are looked at before
  /// others that came first.
  @Test func aStreamGoesOnInItsOrderWhenItTurnsToAnotherChunk() throws {
    try inDirectory { path in
      let recorder = try BreadcrumbRecorder(path: path, capacity: 256 << 10, automatic: [])
      defer { recorder.close() }
      let tail = try LogTail(path: path)
      var followed: [String] = []
      for round in 0..<40 {
        recorder.record("\(round)")
        let news = try tail.poll {
          for number in 0..<100 { recorder.record("\(round).\(number)") }
        }
        followed += texts(news)
      }
      followed += texts(try tail.poll())
      let all = (0..<40).flatMap { round in ["\(round)"] + (0..<100).map { "\(round).\($0)" } }
      #expect(followed == all)
    }
  }

  @Test func anotherRunAtTheSamePathIsNoticed() throws {
    try inDirectory { path in
      let first = try BreadcrumbRecorder(path: path, capacity: 256 << 10, automatic: [])
      let tail = try LogTail(path: path)
      #expect(!tail.isReplaced)
      first.record("the last words")
      first.close()
      let second = try BreadcrumbRecorder(path: path, capacity: 256 << 10, automatic: [])
      defer { second.close() }
      #expect(tail.isReplaced)
      #expect(texts(try tail.poll()) == ["the last words"])
      #expect(tail.status.ending == .clean)
    }
  }
}
