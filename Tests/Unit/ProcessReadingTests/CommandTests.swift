import Foundation
import ProcessTesting
import Testing

@testable import ProcessReading

@Suite("crashscan attach and crashscan core", .notUnderQemu("qemu has no ptrace"))
struct CommandTests {
  private func crashscan(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess.run("crashscan", arguments, environment: ["NO_COLOR": "1"])
  }

  @Test("attach shows the program's own function in its line, and the process's log beside it")
  func attach() throws {
    let log = TestFiles.path("subject.log")
    let program = try Program("subject", ["wait", log])
    try #require(program.wait(for: "ready"))
    defer {
      program.signal(SIGKILL)
      _ = program.end()
    }
    let text = try crashscan("attach", "\(program.id)")
    #expect(text.status == 0, "\(text.everything)")
    #expect(text.output.contains(#/read while the process was stopped for [0-9.]+ [mµ]s/#))
    #expect(text.output.contains(#/waitsForever\(_:\) at .*main.swift:[0-9]+ in subject/#))
    #expect(text.output.contains("waiter"))
    #expect(
      text.output.contains(
        "crumbs and requests come from the breadcrumb log of the process, \(log)"))
    #expect(text.output.contains(#/subject \(process [0-9]+\), [0-9]+ crumbs/#))
    #expect(text.output.contains("still running"))

    let json = try crashscan("attach", "\(program.id)", "--no-stop", "--format", "json")
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let picture = try #require(document["picture"] as? [String: Any])
    #expect(picture["stop"] as? String == "running")
    #expect((picture["threads"] as? Int ?? 0) >= 2)
    let groups = try #require(picture["groups"] as? [[String: Any]])
    let functions = groups.flatMap { $0["frames"] as? [[String: Any]] ?? [] }.compactMap {
      $0["function"] as? String
    }
    #expect(functions.contains { $0.hasPrefix("waitsForever") })
  }

  @Test("What cannot be attached to ends with 2 and a reason, what is no process id with 64")
  func failures() throws {
    let gone = try crashscan("attach", "\(Int32.max)")
    #expect(gone.status == 2 && gone.errors.contains("no such process"))
    let word = try crashscan("attach", "service")
    #expect(word.status == 64 && word.errors.contains("'service' is not a process id"))
  }

  @Test(
    "core finds the crash, also in a compressed core, and report says which command reads it",
    .enabled(if: CoreSample.path != nil, "no core"))
  func core() throws {
    let path = try #require(CoreSample.path)
    let plain = try crashscan("core", path)
    #expect(plain.status == 1, "\(plain.everything)")
    #expect(plain.output.contains("error crash-cause"))
    #expect(plain.output.contains(#/open first +crashesHere\(_:\)/#), "\(plain.output)")
    for (tool, suffix) in [("zstd", "zst"), ("lz4", "lz4"), ("xz", "xz")] {
      let packed = TestFiles.path("core.\(suffix)")
      let made = try ChildProcess.run(
        path: "/bin/sh", ["-c", "\(tool) -c -1 '\(path)' > '\(packed)'"])
      guard made.status == 0 else { continue }
      let text = try crashscan("core", packed)
      #expect(
        text.status == 1 && text.output.contains("crashesHere"), "\(tool): \(text.everything)")
    }
    let other = try crashscan(path)
    #expect(other.status == 2 && other.errors.contains("crashscan core \(path)"))
  }
}
