import DeathRecords
import IncidentModel

extension PerfettoTrace {
  /// Adds the crash on its thread, and the places of the other threads.
  func add(_ crash: Crash) {
    if first == nil { begin(monotonic: crash.monotonic, wall: crash.wall) }
    last = max(last, crash.monotonic)
    packets.settle()
    let crashed =
      crash.thread.map { track(of: $0) } ?? tracks.thread(kernelID: crash.kernelID, name: "")
    let frames = crash.thread.map { stacks.frames($0.stack.frames, when: crash.monotonic) } ?? []
    instant(
      "crash: \(crash.title ?? SignalName.of(crash.signal))", "crash", at: crash.monotonic, crashed
    ) {
      self.annotations.add("signal", SignalName.of(crash.signal), to: &$0)
      self.annotations.add("code", Int64(crash.code), to: &$0)
      if crash.isAboutAccess, let address = crash.address {
        self.annotations.add("address", "0x" + String(address, radix: 16), to: &$0)
      }
      for text in crash.texts.map(\.words).prefix(1) { self.annotations.add("said", text, to: &$0) }
      self.annotations.add("stack", frames, to: &$0)
    }
    for thread in crash.otherThreads {
      // The tables of interned texts have room for one event, not for any number of threads.
      packets.settle()
      let frames = stacks.frames(thread.stack.frames, when: crash.monotonic)
      instant("when it crashed", "at the crash", at: crash.monotonic, track(of: thread)) {
        self.annotations.add("stack", frames, to: &$0)
      }
    }
  }

  private func track(of thread: CrashThread) -> UInt64 {
    thread.ordinal.map { tracks.thread($0, source.threads[$0]) }
      ?? tracks.thread(kernelID: thread.kernelID, name: thread.name)
  }

  /// Adds the facts about the whole log.
  func addSummary() {
    guard let first else { return }
    let process = tracks.process(source.process?.executable ?? "")
    instant("breadcrumb log", "log", at: first, process) { instant in
      self.annotations.add("log", self.input, to: &instant)
      self.annotations.add("ending", self.source.ending.name, to: &instant)
      for (name, count) in [
        ("overwritten", self.source.losses.recycledInAll),
        ("never written", self.source.losses.droppedInAll),
      ] where count > 0 {
        self.annotations.add(name, Int64(clamping: count), to: &instant)
      }
      if !self.source.unread.isEmpty {
        self.annotations.add("unreadable parts", Int64(self.source.unread.count), to: &instant)
      }
    }
  }

  private func instant(
    _ name: String, _ category: String, at time: UInt64, _ track: UInt64,
    _ body: (inout ProtoBytes) -> Void
  ) {
    packets.event(at: time) { instant in
      instant.field(9, 3 as UInt64)
      instant.field(11, track)
      instant.field(10, self.packets.number(of: name, for: .eventName))
      instant.field(3, self.packets.number(of: category, for: .category))
      body(&instant)
    }
  }
}
