public import Breadcrumbs
import CrashCapture
import Foundation
public import HeadlessUI
import Synchronization
import ThreadAffinity

/// What every sample's program stands on: a recorder, a crash handler, an application on the main
/// queue, and a limit to how long it may take.
@MainActor
public final class Stage {
  /// What the program was asked for.
  public let options: SampleOptions
  /// Where crumbs are left.
  public let recorder: BreadcrumbRecorder
  /// The application that the sample moves through its life.
  public let application: Application

  private init(_ options: SampleOptions) throws {
    self.options = options
    recorder = try BreadcrumbRecorder(path: options.log, capacity: 4 << 20)
    application = Application(recorder: recorder)
  }

  /// Runs a sample to its end, and with it the process.
  ///
  /// It exits with 0 when `play` returns, 1 when it throws, 64 where the command line is not understood,
  /// and 75 when the time is up.
  ///
  /// - Parameters:
  ///   - fixes: The fixes that `--fix` can choose.
  ///   - limit: How long it may take.
  ///   - play: The sample, on the main queue.
  nonisolated public static func run(
    fixes: [String] = [], limit: Duration = .seconds(300),
    _ play: @escaping @MainActor (Stage) async throws -> Void
  ) -> Never {
    let options = options(fixes: fixes)
    ViolationPolicy.default = MainThreadChecker.policy
    endIfNotDone(within: limit)
    Task { @MainActor in
      do {
        let stage = try Stage(options)
        CrashHandler.install(recordingTo: stage.recorder)
        try await play(stage)
        stage.recorder.close()
        exit(0)
      } catch {
        fail("\(error)", status: 1)
      }
    }
    Application.run()
  }

  nonisolated private static func options(fixes: [String]) -> SampleOptions {
    do throws(SampleUsage) {
      return try SampleOptions(arguments: CommandLine.arguments, fixes: fixes)
    } catch {
      let fix = fixes.isEmpty ? "" : " [--fix \(fixes.joined(separator: "|"))]"
      fail("\(error)\nusage: \(program) [--bug]\(fix) [--log FILE]", status: SampleUsage.status)
    }
  }

  nonisolated private static func endIfNotDone(within limit: Duration) {
    let seconds = Double(limit.components.seconds)
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
      fail("not done after \(Int(seconds)) seconds", status: 75)
    }
  }

  nonisolated private static func fail(_ reason: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("\(program): \(reason)\n".utf8))
    exit(status)
  }

  nonisolated private static var program: String {
    CommandLine.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? "sample"
  }

  /// Prints what a window shows, under a line that says what has happened.
  public func show(_ caption: String, _ window: Window) {
    say("\(caption)\n\(window.renderedText())\n")
  }

  /// Prints what has happened, at once: the process may be about to die.
  public func say(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
  }

  /// Lets the main queue have what was sent to it until now.
  public func nextTurn() async {
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
  }

  /// Lets time pass, on the main queue, until something holds.
  public func wait(until holds: @MainActor () -> Bool) async throws {
    while !holds() { try await Task.sleep(for: .milliseconds(5)) }
  }
}
