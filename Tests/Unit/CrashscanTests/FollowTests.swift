import Breadcrumbs
import Foundation
import Glibc
import ProcessTesting
import Testing

@Suite("--follow goes on until the process ends") struct FollowTests {
  // Swift Testing runs a test in a process of its own from 6.2 on, and hands it values from 6.3 on.
  #if compiler(>=6.3)
    /// Records once, waits to be seen, records on, and is killed: the body of a process of its own.
    @Sendable
    private static func recordAndDie(in directory: String) throws {
      let recorder = try BreadcrumbRecorder(
        path: directory + "/breadcrumbs.log", capacity: 1 << 20, automatic: [])
      recorder.record("before the reader came")
      try Data().write(to: URL(fileURLWithPath: directory + "/recorded"))
      waitForFile(directory + "/seen")
      for number in 0..<50 {
        recorder.record("crumb \(number) of the living", data: [:])
        usleep(5_000)
      }
      kill(getpid(), SIGKILL)
    }

    /// Follows a process that is killed, and gives what was written until then.
    private func followed(
      _ arguments: [String], untilItSays text: String
    ) async throws -> Program.Ending {
      let directory = TestFiles.directory()
      async let outcome = Self.follow(directory, arguments, text)
      await #expect(processExitsWith: .signal(SIGKILL)) { [directory = directory as String] in
        try FollowTests.recordAndDie(in: directory)
      }
      return try await outcome
    }

    private static func follow(
      _ directory: String, _ arguments: [String], _ text: String
    ) async throws -> Program.Ending {
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
          waitForFile(directory + "/recorded")
          continuation.resume(
            with: Result {
              let tool = try Program(
                "crashscan", ["show", directory + "/breadcrumbs.log", "--follow"] + arguments)
              _ = tool.wait(untilItSays: text)
              try Data().write(to: URL(fileURLWithPath: directory + "/seen"))
              return tool.end()
            })
        }
      }
    }

    @Test("Each crumb is shown once, in order, and then how the process ended")
    func text() async throws {
      let ending = try await followed([], untilItSays: "before the reader came\n")
      let expected =
        ["before the reader came"] + (0..<50).map { "crumb \($0) of the living" }
      let lines = Log.lines(ending.output)
      #expect(lines.count == expected.count)
      for (line, message) in zip(lines, expected) { #expect(line.hasSuffix("  \(message)")) }
      #expect(ending.output.contains("still running"))
      #expect(ending.output.split(separator: "\n").last?.hasPrefix("was killed") == true)
      #expect(ending.exitStatus == 0)
    }

    @Test("In JSON it is still one document, whose ending is the process's")
    func json() async throws {
      let output = try await followed(
        ["--last", "0", "--format", "json"], untilItSays: "\"crumbs\":"
      ).output
      let document = try JSONDecoder().decode(ShownDocument.self, from: Data(output.utf8))
      #expect(document.ending == "sudden")
      #expect(document.crumbs.map(\.message) == (0..<50).map { "crumb \($0) of the living" })
    }

  #endif

  @Test("Ctrl-C closes the document, whose process still runs")
  func interrupted() throws {
    let recorder = try BreadcrumbRecorder(
      path: TestFiles.path("breadcrumbs.log"), capacity: 1 << 20, automatic: [])
    recorder.record("here")
    let tool = try Program("crashscan", ["show", recorder.path, "--follow", "--format", "json"])
    #expect(tool.wait(untilItSays: "\"here\""))
    tool.signal(SIGINT)
    let output = tool.end().output
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
    #expect(outcome.output.contains("exited normally"))
  }
}
