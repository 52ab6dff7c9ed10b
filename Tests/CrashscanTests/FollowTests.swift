import Breadcrumbs
import Foundation
import Glibc
import Testing

@Suite("--follow goes on until the process ends")
struct FollowTests {
  /// Records once, waits to be seen, records on, and is killed: the body of a process of its own.
  @Sendable
  private static func recordAndDie(in directory: String) throws {
    let recorder = try BreadcrumbRecorder(
      path: directory + "/breadcrumbs.log", capacity: 1 << 20, automatic: [])
    recorder.record("before the reader came")
    try Data().write(to: URL(fileURLWithPath: directory + "/recorded"))
    wait(for: directory + "/seen")
    for number in 0..<50 {
      recorder.record("crumb \(number) of the living", data: [:])
      usleep(5_000)
    }
    kill(getpid(), SIGKILL)
  }

  private static func wait(for path: String) {
    // Whoever waits for longer was left alone by a test that failed.
    for _ in 0..<3_000 where access(path, F_OK) != 0 { usleep(10_000) }
  }

  /// Follows a process that is killed, and gives what was written until then.
  private func followed(_ arguments: [String]) async throws -> Tool.Outcome {
    let directory = try Scratch.directory()
    async let outcome = Self.follow(directory, arguments)
    await #expect(processExitsWith: .signal(SIGKILL)) { [directory = directory as String] in
      try FollowTests.recordAndDie(in: directory)
    }
    return try await outcome
  }

  private static func follow(
    _ directory: String, _ arguments: [String]
  ) async throws -> Tool.Outcome {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        wait(for: directory + "/recorded")
        Thread.detachNewThread {
          usleep(300_000)
          try? Data().write(to: URL(fileURLWithPath: directory + "/seen"))
        }
        continuation.resume(
          with: Result {
            try Tool.run(
              Tool.path, ["show", directory + "/breadcrumbs.log", "--follow"] + arguments)
          })
      }
    }
  }

  @Test("Each crumb is shown once, in order, and then how the process ended")
  func text() async throws {
    let outcome = try await followed([])
    let expected =
      ["before the reader came"] + (0..<50).map { "crumb \($0) of the living" }
    let lines = Log.lines(outcome)
    #expect(lines.count == expected.count)
    for (line, message) in zip(lines, expected) { #expect(line.hasSuffix("  \(message)")) }
    #expect(outcome.output.contains("still running"))
    #expect(outcome.output.split(separator: "\n").last?.hasPrefix("ended without a word") == true)
    #expect(outcome.status == 0)
  }

  @Test("In JSON it is still one document, whose ending is the process's")
  func json() async throws {
    let output = try await followed(["--last", "0", "--format", "json"]).output
    let document = try JSONDecoder().decode(ShownDocument.self, from: Data(output.utf8))
    #expect(document.ending == "sudden")
    #expect(document.crumbs.map(\.message) == (0..<50).map { "crumb \($0) of the living" })
  }

  @Test("Ctrl-C closes the document, whose process still runs")
  func interrupted() throws {
    let recorder = try BreadcrumbRecorder(
      path: Scratch.directory() + "/breadcrumbs.log", capacity: 1 << 20, automatic: [])
    recorder.record("here")
    let timeout = try #require(Tool.find("timeout"))
    let command = [Tool.path, "show", recorder.path, "--follow", "--format", "json"]
    let output = try Tool.run(timeout, ["-s", "INT", "-k", "20", "1"] + command).output
    let document = try JSONDecoder().decode(ShownDocument.self, from: Data(output.utf8))
    #expect(document.ending == "running")
    #expect(document.crumbs.map(\.message) == ["here"])
    recorder.close()
  }

  @Test("A log whose process has ended is shown and that is all")
  func ended() throws {
    let path = try Log.recorded { $0.record("here") }
    let outcome = try Tool.run("show", path, "--follow")
    #expect(Log.lines(outcome).count == 1)
    #expect(outcome.output.contains("ended cleanly"))
  }
}
