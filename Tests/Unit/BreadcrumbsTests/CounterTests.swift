import CRecorder
import Testing

/// The counter that gives a log its ticks may begin anew while the log is open.
struct CounterTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func leave(_ log: OpaquePointer, at ticks: UInt64) throws {
    let thread = try #require(ms_log_enter(log, MS_KIND_NOTE))
    var crumb = ms_crumb()
    crumb.ticks = ticks
    #expect(ms_log_append(thread, &crumb))
    ms_log_leave(thread)
  }

  /// How many places of the ring of anchors are filled (docs/internals/log-format.md).
  private func anchors() throws -> Int {
    let bytes = try scratch.bytes()
    return (0..<8).count { slot in
      bytes[1_232 + slot * 32..<1_232 + (slot + 1) * 32].contains { $0 != 0 }
    }
  }

  @Test func aCounterThatJumpsBackGoesOnBeingTiedToTheClocks() throws {
    let log = try scratch.openLog()
    defer { ms_log_close(log) }
    let day = UInt64(1) << 48
    let later = ms_log_now(log) + day
    try leave(log, at: later)
    let before = try anchors()
    try leave(log, at: later - 1000)  // another processor's
    #expect(try anchors() == before)
    try leave(log, at: later - day)
    #expect(try anchors() == before + 1)
    try leave(log, at: later - day + day / 16)
    #expect(try anchors() == before + 2)
  }
}
