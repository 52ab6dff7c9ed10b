import Foundation
import IncidentModel
import ProcessTesting
import Symbolication

@testable import CrashAnalysis
@testable import ProcessReading

/// A program's threads and tasks at one moment at which it stood still.
struct Snapshot {
  let picture: ProcessPicture
  private let modules: [Module]

  var tasks: TaskPicture { picture.tasks! }

  init(of id: pid_t) throws {
    // The time suffices for a machine that does much else.
    let process = try LiveProcess(Int(id), options: LiveProcess.Options(stop: 10_000_000_000))
    let (capture, tasks) = try process.captureWithTasks(ProcessSymbols(process.modules))
    var picture = capture.picture()
    picture.tasks = tasks
    self.picture = picture
    modules = capture.memory.modules
  }

  /// Looks until `isWanted`: a program cannot tell when its tasks have come to wait.
  static func of(
    _ program: Program, seconds: Double = 20, until isWanted: (Snapshot) throws -> Bool
  ) throws -> Snapshot {
    let end = Date(timeIntervalSinceNow: seconds)
    while true {
      let snapshot = try Snapshot(of: program.id)
      if try isWanted(snapshot) || Date() > end { return snapshot }
      usleep(10_000)
    }
  }

  /// What the rules say of it.
  func findings() throws -> [Finding] {
    let source = PictureSource(picture, modules: modules)
    let summary = try Analyzer(symbols: FileNames()).analyze(source, input: "")
    return Report(summary).entries.map(\.finding)
  }
}

/// Names from the files of modules.
struct FileNames: SymbolSource {
  private var symbolicator = Symbolicator()

  mutating func frames(at address: FrameAddress, in module: Module) -> [SourceFrame] {
    symbolicator.frames(at: address, in: module)
  }
}

/// A picture as an input without events.
final class PictureSource: EventSource {
  let queues = QueueTable()
  let format = "process"
  let process: Incident.Process? = nil
  let recording = "picture"
  let modules: [SeenModule]
  let crash: Crash? = nil
  let picture: ProcessPicture?
  let threads: [Int: IncidentThread] = [:]
  let ending = RunEnding.running
  let losses = Incident.Losses()
  let unread: [Unread] = []

  init(_ picture: ProcessPicture, modules: [Module]) {
    self.picture = picture
    self.modules = modules.map { SeenModule(module: $0, since: 0) }
  }

  func next(into batch: EventBatch) throws -> Bool {
    batch.removeAll()
    return false
  }
}
