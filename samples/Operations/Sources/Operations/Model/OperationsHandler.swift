import Foundation
import HeadlessUI
import ThreadAffinity

/// Keeps all operations that were started, and says what a message changes. Belongs to the main queue,
/// which each of its methods checks.
public final class OperationsHandler {
  /// What a message has led to.
  public enum Outcome: Sendable, Hashable {
    /// The row whose operation has changed.
    case changed(IndexPath)
    case ignored(IgnoredMessage)
  }

  /// The operations, in the order they were started.
  public private(set) var operations: [TrackedOperation] = []
  /// How many messages changed nothing.
  public private(set) var ignoredCount = 0
  /// The last message that changed nothing.
  public private(set) var lastIgnored: IgnoredMessage?

  private var rows: [OperationID: Int] = [:]
  /// Ids of operations that were started anew: what still comes for those is late.
  private var retired: Set<OperationID> = []

  /// A handler without operations.
  public init() {}

  // MARK: - Starting

  /// Adds an operation that waits; nil where one of that id was there before.
  public func startOperation(_ id: OperationID) -> IndexPath? {
    expectMainQueue("list of operations")
    guard rows[id] == nil, !retired.contains(id) else { return nil }
    operations.append(TrackedOperation(id))
    rows[id] = operations.count - 1
    return IndexPath(row: operations.count - 1)
  }

  /// Starts an operation anew, under another id: what the old one's messages say is late from now on.
  public func restartOperation(at indexPath: IndexPath, as id: OperationID) {
    expectMainQueue("list of operations")
    let old = operations[indexPath.row].id
    rows[old] = nil
    retired.insert(old)
    operations[indexPath.row] = TrackedOperation(id)
    rows[id] = indexPath.row
  }

  /// Says that an operation was handed to the script.
  public func handOver(_ id: OperationID) -> IndexPath? {
    change(id, where: { $0.state == .waiting }, to: { $0.state = .running })
  }

  /// Says that the script could not start an operation.
  public func fail(_ id: OperationID) -> IndexPath? {
    change(id, where: { !$0.isFinished }, to: { $0.state = .failed(.notStarted) })
  }

  /// The rows of the operations that are not over.
  public var unfinished: [IndexPath] {
    operations.indices.filter { !operations[$0].isFinished }.map { IndexPath(row: $0) }
  }

  // MARK: - Messages

  /// Reads a message, and changes the operation it names.
  public func handleMessage(_ message: ScriptMessage) -> Outcome {
    expectMainQueue("list of operations")
    let outcome = outcome(of: message)
    if case .ignored(let reason) = outcome {
      ignoredCount += 1
      lastIgnored = reason
    }
    return outcome
  }

  private func outcome(of message: ScriptMessage) -> Outcome {
    let read: OperationMessage
    do throws(MessageError) {
      read = try OperationMessage(message)
    } catch {
      return .ignored(.malformed(error))
    }
    guard let row = rows[read.id] else {
      return .ignored(retired.contains(read.id) ? .late(read.id) : .unknown(read.id))
    }
    if let reason = operations[row].apply(read.event) { return .ignored(reason) }
    return .changed(IndexPath(row: row))
  }

  private func change(
    _ id: OperationID, where holds: (TrackedOperation) -> Bool,
    to change: (inout TrackedOperation) -> Void
  ) -> IndexPath? {
    expectMainQueue("list of operations")
    guard let row = rows[id], holds(operations[row]) else { return nil }
    change(&operations[row])
    return IndexPath(row: row)
  }
}
