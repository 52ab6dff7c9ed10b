import DeathRecords
import IncidentModel
import TextOutput

/// Computes the columns for the thread and queue of a crumb, as wide as the known crumbs need.
struct CrumbColumns {
  private static let widest = 32

  private var threads: [Int: VisibleText] = [:]
  private var queues: [Queue: VisibleText] = [:]
  private(set) var threadWidth = 0
  private(set) var queueWidth = 0

  mutating func fit(_ crumbs: [Crumb], of incident: Incident, isVerbose: Bool) {
    var labels: [String: Set<UInt64>] = [:]
    for crumb in incident.crumbs {
      if let queue = crumb.queue { labels[queue.label, default: []].insert(queue.serial) }
    }
    threads = incident.threads.mapValues { "\($0.kernelID) \($0.name)" }
    queues = [:]
    for crumb in crumbs {
      threadWidth = max(threadWidth, min(threads[crumb.thread]?.width ?? 1, Self.widest))
      guard let queue = crumb.queue, queues[queue] == nil else { continue }
      let isShared = (labels[queue.label]?.count ?? 0) > 1
      let name = label(queue, withSerial: isVerbose || isShared || queue.label.isEmpty)
      queues[queue] = name
      queueWidth = max(queueWidth, min(name.width, Self.widest))
    }
  }

  func thread(_ crumb: Crumb) -> VisibleText {
    threads[crumb.thread] ?? "?"
  }

  func queue(_ crumb: Crumb) -> VisibleText {
    crumb.queue.flatMap { queues[$0] } ?? "-"
  }

  private func label(_ queue: Queue, withSerial: Bool) -> VisibleText {
    withSerial ? "\(queue.label)#\(queue.serial)" : "\(queue.label)"
  }
}
