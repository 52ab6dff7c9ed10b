/// The content of an input, for the analysis.
package struct Incident: Sendable {
  /// The process that recorded.
  package struct Process: Sendable {
    package var id: Int
    package var executable: String
    /// When it opened the log, in nanoseconds since 1970 and of the monotonic clock.
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

  /// Crumbs that are gone.
  package struct Losses: Sendable {
    /// Overwritten by newer ones, by kind.
    package var recycled: [CrumbKind: UInt64]
    /// Never written, for lack of a chunk.
    package var dropped: [CrumbKind: UInt64]

    package init(recycled: [CrumbKind: UInt64] = [:], dropped: [CrumbKind: UInt64] = [:]) {
      self.recycled = recycled
      self.dropped = dropped
    }

    /// How many of all kinds were overwritten, as far as that can be counted: a log may claim anything.
    package var recycledInAll: UInt64 { Self.sum(of: recycled) }

    /// How many of all kinds were never written, as far as that can be counted.
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
  /// The other facts about the run in the header.
  package var signs = RunSigns()
  package var threads: [Int: IncidentThread]
  package var modules: [SeenModule]
  /// In the order of time; each thread's in the order it left them.
  package var crumbs: [Crumb]
  package var losses: Losses
  package var unread: [Unread]
  /// The recorder's notes about itself: the engine of its walks, the way it identifies queues.
  package var notes: [String]
  /// The crash of the process, if it was recorded.
  package var crash: Crash?
  /// The state of the whole process, if it was read from outside or from a core dump. A process that hangs has a
  /// picture and no crash.
  package var picture: ProcessPicture?

  /// How the run ended, as far as its header says.
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

  /// The module whose code was at `address` at a time of the monotonic clock.
  package func module(at address: UInt64, when monotonic: UInt64) -> Module? {
    var found: SeenModule?
    for seen in modules where seen.module.text.contains(address) {
      // The first one seen also stands for the time before it was seen.
      if found == nil || seen.since <= monotonic { found = seen }
    }
    return found?.module
  }
}

/// A thread that took part in an incident.
package struct IncidentThread: Hashable, Sendable {
  /// Tells it from all other threads of the incident, also from one that had its kernel id before.
  package var ordinal: Int
  package var kernelID: Int
  /// Empty if the thread has no name.
  package var name: String

  /// Stands for a thread that a report does not tell; 0 would be taken for the main thread.
  package static let unknown = Int(UInt32.max)
  /// The base of thread ordinals of a report without thread numbers: below `unknown`, and above any
  /// number in a report.
  package static let unnumbered = unknown - 5000

  /// Whether a thread's number is one that its input gives it.
  package static func isNumber(_ ordinal: Int) -> Bool { ordinal < unnumbered }

  package init(ordinal: Int, kernelID: Int, name: String) {
    self.ordinal = ordinal
    self.kernelID = kernelID
    self.name = name
  }
}

/// A dispatch queue, by the serial number that no other queue of its process ever has.
package struct Queue: Hashable, Sendable {
  package var serial: UInt64
  package var label: String

  package init(serial: UInt64, label: String) {
    self.serial = serial
    self.label = label
  }
}

/// A part of an input that could not be read, and why.
package struct Unread: Hashable, Sendable {
  /// Why a part could not be read.
  package enum Reason: Hashable, Sendable {
    /// A record was begun and not finished: the process died in the middle of it, or is at it now.
    case unfinished
    /// The bytes fail their checksum.
    case damaged
    /// The file ends before its content does.
    case truncated
    /// A word of explanation.
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
