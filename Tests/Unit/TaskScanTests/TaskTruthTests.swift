import Foundation
import IncidentModel
import ProcessTesting
import Testing

/// What `task-truth` says of its tasks, and what a scan from outside finds.
@Suite struct TaskTruthTests {
  /// A task as the program tells of it.
  struct Told: Hashable, CustomStringConvertible {
    var id: UInt64
    var parent: UInt64?
    var name: String?
    var isCancelled: Bool
    var state: String

    var description: String {
      "\(id) \(parent ?? 0) \(name ?? "-") \(isCancelled ? 1 : 0) \(state)"
    }
  }

  /// The tasks of which the program tells, and the ids of those whose continuation is lost.
  private static func truth(of program: Program) -> (tasks: Set<Told>, lost: Set<UInt64>) {
    var told: Set<Told> = []
    var lost: Set<UInt64> = []
    while let line = program.line(), line != "READY" {
      let words = line.split(separator: " ", maxSplits: 4).map(String.init)
      guard words.count == 5, let id = UInt64(words[0]), let parent = UInt64(words[1]) else {
        continue
      }
      // A lost continuation is a continuation all the same.
      if words[4] == "lost" { lost.insert(id) }
      told.insert(
        Told(
          id: id, parent: parent == 0 ? nil : parent, name: words[2] == "-" ? nil : words[2],
          isCancelled: words[3] == "1", state: words[4] == "lost" ? "continuation" : words[4]))
    }
    return (told, lost)
  }

  private static func found(in picture: TaskPicture) -> Set<Told> {
    Set(
      picture.tasks.compactMap { task in
        guard let state = state(of: task, picture) else { return nil }
        return Told(
          id: task.id, parent: task.parent, name: task.name,
          isCancelled: task.flags.contains(.cancelled), state: state)
      })
  }

  /// Nil for tasks that the program does not tell of: those that have finished, and the runtime's own, which wake others.
  private static func state(of task: PictureTask, _ picture: TaskPicture) -> String? {
    switch task.state {
    case .running: "running"
    case .enqueued(.actor(let actor)): "actor \(picture.actor(actor)?.type ?? "")"
    case .enqueued: "enqueued"
    case .waiting(.task): "task"
    case .waiting(.unknownTask): "unknown task"
    case .waiting(.group(let children)): "group \(children.count)"
    case .waiting(.continuation): "continuation"
    case .finished, .notStarted: nil
    case .unknown: "unknown"
    }
  }

  @Test(arguments: [1, 50]) func everyTaskIsFoundAndNoneIsInvented(copies: Int) throws {
    let program = try Program("task-truth", ["\(copies)"])
    defer { kill(program.id, SIGKILL) }
    let truth = Self.truth(of: program).tasks
    #expect(truth.count == copies * 20 + 5)
    let snapshot = try Snapshot.of(program) { Self.found(in: $0.tasks) == truth }
    let found = Self.found(in: snapshot.tasks)
    #expect(found.subtracting(truth) == [])
    #expect(truth.subtracting(found) == [])
    #expect(snapshot.tasks.gaps == [])
  }

  @Test func theHolderOfAnActorAndTheLostContinuationAreKnown() throws {
    let program = try Program("task-truth", ["20"])
    defer { kill(program.id, SIGKILL) }
    let (truth, told) = Self.truth(of: program)
    let snapshot = try Snapshot.of(program) { Self.found(in: $0.tasks) == truth }
    let picture = snapshot.tasks
    let ledger = try #require(picture.actors.first { $0.type == "Ledger" })
    #expect(ledger.state == .running)
    let holder = try #require(ledger.holder.flatMap(picture.thread))
    #expect(holder.actor == ledger.address)
    let running = picture.tasks.filter { $0.state == .running(thread: holder.kernelID) }
    #expect(running.map(\.id) == [holder.task])
    let lost = picture.tasks.filter { task in
      guard case .waiting(.continuation(let references?)) = task.state else { return false }
      return references.areNone(isChecked: false)
    }
    // Stale words may hide some of the lost continuations, but not all.
    #expect(told.count == 20)
    #expect(!lost.isEmpty && told.isSuperset(of: lost.map(\.id)))
  }
}
