/// What an input tells: the values that an analysis works on.
package struct Incident: Sendable {
  /// The process that recorded.
  package struct Process: Sendable {
    package var id: Int
    package var executable: String
    /// When it opened the log, in nanoseconds since 1970 and of the monotonic clock.
    package var openedWall: UInt64
    package var openedMonotonic: UInt64
    /// Which build it was and where it ran, if it said so.
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
  package var threads: [Int: IncidentThread]
  package var modules: [SeenModule]
  /// In the order of time; each thread's in the order it left them.
  package var crumbs: [Crumb]
  package var losses: Losses
  package var unread: [Unread]
  /// What the recorder said of its own workings: the walk's engine, how queues are told.
  package var notes: [String]
  /// What the process died of, if it could still tell.
  package var crash: Crash?

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

  /// What a stream tells at its end, with those of its crumbs that are wanted.
  package init(_ source: some EventSource, crumbs: [Crumb], notes: [String]) {
    self.init(
      process: source.process, ending: source.ending, threads: source.threads,
      modules: source.modules, crumbs: crumbs, losses: source.losses,
      unread: source.unread.sorted { $0.offset < $1.offset }, notes: notes, crash: source.crash)
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

/// A module and since when it is known to have been there.
package struct SeenModule: Sendable {
  package var module: Module
  /// Nanoseconds of the monotonic clock.
  package var since: UInt64

  package init(module: Module, since: UInt64) {
    self.module = module
    self.since = since
  }
}
