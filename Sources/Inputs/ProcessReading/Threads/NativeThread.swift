import IncidentModel

/// A thread of a process, as the kernel or a core dump knows it.
package struct NativeThread: Sendable {
  /// A system call that blocks a thread.
  package struct Call: Hashable, Sendable {
    package var number: Int
    /// The six that the kernel takes, in their order.
    package var arguments: [UInt64]

    package init(number: Int, arguments: [UInt64]) {
      self.number = number
      self.arguments = arguments
    }
  }

  package var kernelID: Int
  package var name: String
  /// Its state in the kernel's words: `sleeping`; nil if that is not known.
  package var state: String?
  /// Nil if the thread could not be stopped.
  package var registers: ThreadRegisters?
  /// Whether the registers are those of one moment. Of a thread that was not stopped, only where it is and its stack pointer
  /// are known, and the frame pointer is guessed.
  package var isExact = true
  /// The system call that it is in; nil if it is in none, or that is not known.
  package var call: Call?

  package init(kernelID: Int, name: String, state: String? = nil, registers: ThreadRegisters? = nil)
  {
    self.kernelID = kernelID
    self.name = name
    self.state = state
    self.registers = registers
  }
}
