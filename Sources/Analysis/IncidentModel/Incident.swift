/// The content of an input, as the analysis needs it.
package struct Incident: Sendable {
  /// The recorded process.
  package struct Process: Sendable {
    package var id: Int
    package var executable: String
    /// The time at which the process opened the log, in nanoseconds since 1970 and of the monotonic
    /// clock.
    package var openedWall: UInt64
    package var openedMonotonic: UInt64
    /// The build and the environment of the process, if it set them.
    package var release: String?
    package var environment: String?

    package init(
      id: Int, executable: String, openedWall: UInt64, openedMonotonic: UInt64,
      release: String? = nil, environment: String? = nil
    ) {
      self.id = id
      self.executable = executable
      self.openedWall = openedWall
      self.openedMonotonic = openedMonotonic
      self.release = release
      self.environment = environment
    }
  }

  /// The numbers of lost crumbs.
  package struct Losses: Sendable {
    /// The crumbs that newer crumbs overwrote, by kind.
    package var recycled: [CrumbKind: UInt64]
    /// The crumbs that were not written because no chunk was free, by kind.
    package var dropped: [CrumbKind: UInt64]

    package init(recycled: [CrumbKind: UInt64] = [:], dropped: [CrumbKind: UInt64] = [:]) {
      self.recycled = recycled
      self.dropped = dropped
    }

    /// The number of overwritten crumbs of all kinds. The sum saturates, because a damaged log may
    /// contain any number.
    package var recycledInAll: UInt64 { Self.sum(of: recycled) }

    /// The number of dropped crumbs of all kinds. The sum saturates too.
    package var droppedInAll: UInt64 { Self.sum(of: dropped) }

    private static func sum(of counts: [CrumbKind: UInt64]) -> UInt64 {
      counts.values.reduce(0) { sum, count in
        let (larger, isBeyond) = sum.addingReportingOverflow(count)
        return isBeyond ? .max : larger
      }
    }
  }

  package var process: Process?
  package var ending: RunEnding
  /// The facts about the run in the header, besides the ending.
  package var signs = RunSigns()
  package var threads: [Int: IncidentThread]
  package var modules: [SeenModule]
  /// The crumbs in the order of time; the crumbs of each thread keep their recorded order.
  package var crumbs: [Crumb]
  package var losses: Losses
  package var unread: [Unread]
  /// The recorder's notes about itself, such as the unwinder and the method of identifying queues.
  package var notes: [String]
  /// The crash of the process, if it was recorded.
  package var crash: Crash?
  /// The state of the whole process, if it was read from outside or from a core dump. A hung
  /// process has a picture and no crash.
  package var picture: ProcessPicture?

  /// The outcome of the run, according to its header.
  package var manner: RunOutcome { RunOutcome(ending, RunOutcome.Facts(signs)) }

  package init(
    process: Process?, ending: RunEnding, threads: [Int: IncidentThread], modules: [SeenModule],
    crumbs: [Crumb], losses: Losses, unread: [Unread], notes: [String],
    crash: Crash? = nil
  ) {
    self.process = process
    self.ending = ending
    self.threads = threads
    self.modules = modules
    self.crumbs = crumbs
    self.losses = losses
    self.unread = unread
    self.notes = notes
    self.crash = crash
  }

  /// Creates an incident from the end of a stream, with the selected crumbs.
  package init(_ source: some EventSource, crumbs: [Crumb], notes: [String]) {
    self.init(
      process: source.process, ending: source.ending, threads: source.threads,
      modules: source.modules, crumbs: crumbs, losses: source.losses,
      unread: source.unread.sorted { $0.offset < $1.offset }, notes: notes, crash: source.crash)
    signs = source.signs
  }

  /// The module whose code contained `address` at the monotonic time `monotonic`.
  package func module(at address: UInt64, when monotonic: UInt64) -> Module? {
    var found: SeenModule?
    for seen in modules where seen.module.text.contains(address) {
      // The module seen first also counts for the time before it was seen.
      if found == nil || seen.since <= monotonic { found = seen }
    }
    return found?.module
  }
}

/// A thread that took part in an incident.
package struct IncidentThread: Hashable, Sendable {
  /// The number of the thread. No two threads of the incident have the same number, even if they
  /// had the same kernel id one after the other.
  package var ordinal: Int
  package var kernelID: Int
  /// The name; empty if the thread has none.
  package var name: String

  /// The ordinal for a thread that a report does not identify. The value differs from 0, the
  /// ordinal of the main thread.
  package static let unknown = Int(UInt32.max)
  /// The base of the ordinals for threads without a number in the report: below `unknown`, and
  /// above any number in a report.
  package static let unnumbered = unknown - 5000

  /// True if the ordinal is a thread number from the input.
  package static func isNumber(_ ordinal: Int) -> Bool { ordinal < unnumbered }

  package init(ordinal: Int, kernelID: Int, name: String) {
    self.ordinal = ordinal
    self.kernelID = kernelID
    self.name = name
  }
}

/// A dispatch queue, identified by a serial number that is unique within its process.
package struct Queue: Hashable, Sendable {
  package var serial: UInt64
  package var label: String

  package init(serial: UInt64, label: String) {
    self.serial = serial
    self.label = label
  }
}

/// A part of an input that could not be read, with the reason.
package struct Unread: Hashable, Sendable {
  /// The reason why a part could not be read.
  package enum Reason: Hashable, Sendable {
    /// A record was started and not finished: the process died while writing it, or is still
    /// writing it.
    case unfinished
    /// The bytes fail their checksum.
    case damaged
    /// The file is truncated.
    case truncated
    /// Another reason, as a text.
    case other(String)
  }

  /// The offset of the range in the file, in bytes.
  package var offset: UInt64
  package var length: UInt64
  package var reason: Reason

  package init(offset: UInt64, length: UInt64, reason: Reason) {
    self.offset = offset
    self.length = length
    self.reason = reason
  }
}
