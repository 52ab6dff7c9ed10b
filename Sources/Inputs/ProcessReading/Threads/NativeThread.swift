import IncidentModel

/// A thread of a process, read from the kernel or from a core dump.
package struct NativeThread: Sendable {
  /// A system call that blocks a thread.
  package struct Call: Hashable, Sendable {
    package var number: Int
    /// The six arguments, in the kernel's order.
    package var arguments: [UInt64]

    package init(number: Int, arguments: [UInt64]) {
      self.number = number
      self.arguments = arguments
    }
  }

  package var kernelID: Int
  /// Its id in the process's own PID namespace; nil if that is the same, or unknown.
  package var ownID: Int?
  /// The processor time that it has used, in nanoseconds; nil if unknown.
  package var used: UInt64?
  package var name: String
  /// The thread's state, for example `sleeping`; nil if unknown.
  package var state: String?
  /// The registers; nil if the thread could not be stopped.
  package var registers: ThreadRegisters?
  /// True if the registers were read at one moment. For a thread that was not stopped, only the
  /// program counter and the stack pointer are known, and the frame pointer is guessed.
  package var isExact = true
  /// The current system call; nil if there is no call or it is unknown.
  package var call: Call?

  package init(kernelID: Int, name: String, state: String? = nil, registers: ThreadRegisters? = nil)
  {
    self.kernelID = kernelID
    self.name = name
    self.state = state
    self.registers = registers
  }
}
