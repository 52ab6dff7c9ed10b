/// A thread of the scanned process, with its registers.
struct ScannedThread {
  var kernelID: Int
  /// Its id in the process's own PID namespace, which words of locks and queues hold.
  var ownID: Int
  /// The address of the thread's thread-local storage; 0 if unknown.
  var threadPointer: UInt64
  /// The stack pointer; 0 if unknown.
  var stackPointer: UInt64
  /// All registers, in the kernel's order; empty if unknown.
  var registers: [UInt64]
  /// The thread's current system call; nil if there is no call or it is unknown.
  var call: NativeThread.Call?
  /// The processor time that it has used, in nanoseconds; nil if unknown.
  var used: UInt64?
  /// Whether it ran or waited for a processor.
  var isRunnable: Bool

  init(_ thread: NativeThread) {
    kernelID = thread.kernelID
    ownID = thread.ownID ?? thread.kernelID
    threadPointer = thread.registers?.threadPointer ?? 0
    stackPointer = thread.registers?.stackPointer ?? 0
    registers = thread.isExact ? thread.registers?.values ?? [] : []
    used = thread.used
    isRunnable = thread.state == ProcessStatus.words(forState: "R")
    call = (thread.isExact ? thread.registers?.call : nil) ?? thread.call
  }
}
