import AffinityTesting
import Dispatch
import Foundation
import ProcessTesting
import Synchronization
import Testing
import ThreadAffinity

/// Tests that `crashscan repro` writes from the logs of programs that misbehaved.
extension InTurn {
  @Suite struct ReproTests {
    /// The test that is written for the first finding of a way to misbehave.
    private func repro(of way: String) throws -> String {
      let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("mainstay-repro-\(UUID().uuidString)").path
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: directory) }
      let log = "\(directory)/breadcrumbs.log"
      _ = try ChildProcess.run("misbehave", [way, "wrong", log])
      let tool = try ChildProcess.run("crashscan", ["repro", log, "--finding", "1"])
      #expect(tool.status == 0, "\(tool.errors)")
      return tool.output
    }

    /// The schedule that a written test replays.
    private func schedule(in test: String) throws -> String {
      let start = try #require(test.firstRange(of: "replaying: \"")).upperBound
      return String(test[start...].prefix { $0 != "\"" })
    }

    @Test(arguments: [
      "unhopped-callback", "ui-after-background", "hop-overtaken", "queue-trap", "store-delegate",
    ])
    func whatIsWrittenCompiles(way: String) throws {
      let file = FileManager.default.temporaryDirectory
        .appendingPathComponent("Repro-\(UUID().uuidString).swift")
      defer { try? FileManager.default.removeItem(at: file) }
      try repro(of: way).write(to: file, atomically: true, encoding: .utf8)
      let compiler = try Compiler().typecheck(file.path)
      #expect(compiler.status == 0 && compiler.errors.isEmpty, "\(compiler.errors)")
    }

    @Test func theBugFailsTheDeliveriesAndTheFixPassesThem() async throws {
      let storm = CallbackStorm(replaying: try schedule(in: repro(of: "unhopped-callback")))
      for isFixed in [false, true] {
        let bug = try await storm.findBug { shim in
          shim.callback("closure #1 in unhoppedCallback(_:)") {
            if isFixed {
              DispatchQueue.main.async { PriceLabel().show(1) }
            } else {
              PriceLabel().show(1)
            }
          }
        }
        #expect((bug == nil) == isFixed)
      }
    }

    @Test func onlyWhatTheProcessDiedOfIsReplayedInChildren() throws {
      for (way, dies) in [("store-delegate", true), ("unhopped-callback", false)] {
        #expect(try repro(of: way).contains("inChildren: true") == dies, "\(way)")
      }
    }

    @Test func theLifecycleStateIsReplayed() async throws {
      let text = try schedule(in: repro(of: "ui-after-background"))
      #expect(text.hasPrefix("background; on main: "))
      for isFixed in [false, true] {
        let bug = try await CallbackStorm(replaying: text).findBug { shim in
          let app = shim.lifecycle
          shim.callback("show(_:)") { [weak shim] in
            if app.state == .background, !isFixed { shim?.fail("layout in the background") }
          }
        }
        #expect((bug == nil) == isFixed)
      }
    }

    @Test func aFindingWithoutACallbackIsRefused() throws {
      let log = FileManager.default.temporaryDirectory
        .appendingPathComponent("mainstay-\(UUID().uuidString).log").path
      defer { try? FileManager.default.removeItem(atPath: log) }
      _ = try ChildProcess.run("misbehave", ["main-blocked", "wrong", log])
      let tool = try ChildProcess.run("crashscan", ["repro", log])
      #expect(tool.status == 64 && tool.errors.contains("no delivery of a callback repeats"))
      let beyond = try ChildProcess.run("crashscan", ["repro", log, "--finding", "99"])
      #expect(beyond.status == 64 && beyond.errors.contains("and no number 99"))
    }
  }
}

/// The compiler these tests were built by, with their modules at hand.
private struct Compiler {
  private let swiftc: String
  private let plugins: String

  init() throws {
    let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    swiftc = try #require(
      directories.map { "\($0)/swiftc" }.first(where: FileManager.default.isExecutableFile))
    let real = URL(fileURLWithPath: swiftc).resolvingSymlinksInPath()
    plugins =
      real.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("lib/swift/host/plugins/testing").path
  }

  func typecheck(_ file: String) throws -> ChildProcess {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
      .path
    let headers = try FileManager.default.contentsOfDirectory(atPath: sources)
      .filter { $0.hasPrefix("C") && !$0.hasPrefix("Crash") }
      .flatMap { ["-Xcc", "-I\(sources)/\($0)/include"] }
    let maps = FileManager.default.enumerator(atPath: ChildProcess.directory)?.compactMap {
      ($0 as? String).flatMap { $0.hasSuffix(".build/module.modulemap") ? $0 : nil }
    }
    return try ChildProcess.run(
      path: swiftc,
      ["-typecheck", "-swift-version", "6", "-warnings-as-errors", "-plugin-path", plugins]
        + ["-I", "\(ChildProcess.directory)/Modules"] + headers
        + (maps ?? []).flatMap { ["-Xcc", "-fmodule-map-file=\(ChildProcess.directory)/\($0)"] }
        + [file], [:])
  }
}
