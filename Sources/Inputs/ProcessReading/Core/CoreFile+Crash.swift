import Glibc
import IncidentModel

extension CoreFile {
  /// Signals whose default action dumps core. A core that a debugger saved has another signal, or
  /// no signal.
  private static let fatal: Set<Int32> = [
    SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGXCPU, SIGXFSZ, SIGSYS,
  ]

  /// The crash that ended the process; nil if the process was alive when a debugger wrote its core.
  ///
  /// - Parameter picture: the process's threads with their stacks.
  package func crash(_ picture: ProcessPicture) -> Crash? {
    let info = notes.signalInfo
    let signal = info?.signal ?? notes.signal
    guard Self.fatal.contains(Int32(clamping: signal)), let first = notes.threads.first else {
      return nil
    }
    // By this signal a debugger stops a process at a breakpoint, or after a step.
    if notes.isOfDebugger, Int32(clamping: signal) == SIGTRAP { return nil }
    let isSent = info.map { $0.code <= 0 } ?? false
    var crash = Crash(
      monotonic: 0, wall: written, signal: signal, code: info?.code ?? 0,
      address: info.flatMap { isSent ? nil : $0.word },
      sender: info.flatMap { info in
        isSent
          ? Crash.Sender(
            process: Int(info.word & 0xffff_ffff), user: Int(info.word >> 32)) : nil
      }, kernelID: first.kernelID)
    crash.thread = picture.threads.first { $0.kernelID == first.kernelID }
    crash.otherThreads = picture.threads.filter { $0.kernelID != first.kernelID }
    crash.registers = first.registers?.incident
    crash.threadCount = picture.threads.count
    crash.walkedCount = picture.threads.count
    crash.stage = .recorded
    return crash
  }
}
