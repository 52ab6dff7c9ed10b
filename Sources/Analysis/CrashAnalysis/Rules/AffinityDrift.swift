import IncidentModel
import CLogFormat

/// Finds state that several queues access.
final class AffinityDrift: Rule {
  static let about = RuleDescription(
    id: "affinity-drift", severity: .error,
    title: "The same marked state was touched from several queues",
    firesWhen: """
      A recorded value was used on the main queue and off it, or on several other queues, with at \
      least one write.
      """,
    cause: """
      A callback on another queue reaches state of the first queue. Each access looks right alone; \
      together they race.
      """,
    evidence: "The crumb of each access: queue, thread, read or write, and the declaration.",
    fix: "Keep the value on one queue, and hop to that queue for each access.",
    triggers: """
      @MainQueueBound("rows", recorded: true) var rows: [Row] = []
      rows = []                                   // on the main queue
      queue.async { rows = fetched }              // and off it
      """,
    spares: "queue.async { DispatchQueue.main.async { rows = fetched } }")

  let interest = Interest.access

  /// The queue and the kind of an access to a value.
  private struct Access: Hashable {
    var queue: UInt32
    var isMain: Bool
  }

  /// The accesses to a value.
  private struct Value {
    var accesses: [Access: (wrote: Bool, steps: Finding.Step)] = [:]
    var reported: FindingKey?
  }

  private var values: [Int: Value] = [:]
  private let most = 4096
  private let mostQueues = 8

  func observe(_ event: Event, in run: RunState) {
    guard !event.marks.contains(.mainUnknown),
      let write = event[MS_KEY_WRITE], case .boolean(let isWrite) = write
    else { return }
    let key = event.messageBytes.contentHash
    if values.count >= most, values[key] == nil { return }
    let isMain = event.marks.contains(.onMain)
    let access = Access(queue: isMain ? 0 : event.queueNumber, isMain: isMain)
    note(access, isWrite, event, in: &values[key, default: Value()], run)
    guard let value = values[key], value.accesses.count > 1,
      value.accesses.values.contains(where: \.wrote)
    else { return }
    if let known = value.reported {
      if !isMain { run.count(known, at: event) }
      return
    }
    let draft = FindingKey(Self.about.id, key)
    values[key]?.reported = draft
    run.report(draft, at: event) { finding(value, event, run) }
  }

  private func note(
    _ access: Access, _ isWrite: Bool, _ event: Event, in value: inout Value, _ run: RunState
  ) {
    if value.accesses[access] != nil {
      if isWrite { value.accesses[access]?.wrote = true }
      return
    }
    guard value.accesses.count < mostQueues else { return }
    let step = Finding.Step(
      isWrite ? "written" : "read", thread: run.thread(event.thread),
      queue: event.queue?.label)
    value.accesses[access] = (isWrite, step)
  }

  /// Returns the place of the declaration, under the value's own name.
  private func place(_ event: Event) -> CodePlace? {
    var place = MisplacedWork.site(of: event)
    place?.function = event.message
    return place
  }

  private func finding(_ value: Value, _ event: Event, _ run: RunState) -> Finding {
    let steps = value.accesses.values.map(\.steps).sorted { ($0.queue ?? "") < ($1.queue ?? "") }
    let queues = steps.map { DisplayText.queue($0.queue) }.joined(separator: " and ")
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity,
      title: "“\(event.message)” was touched on \(queues)",
      culprit: place(event), api: event.message,
      fix: Finding.Fix(
        "Touch “\(event.message)” on the main queue only, and hop to the main queue from other code."
      ),
      identity: event.message, defect: "state \(event.message)")
    finding.cause = steps
    return finding
  }
}
