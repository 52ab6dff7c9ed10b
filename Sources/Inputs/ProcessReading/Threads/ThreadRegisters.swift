import CProcessMemory
import IncidentModel

/// A thread's general registers, in the order of the kernel's `struct user_regs_struct`, which
/// ptrace and core dumps use.
package struct ThreadRegisters: Hashable, Sendable {
  package let machine: Registers.Machine
  /// The values in the kernel's order.
  package let values: [UInt64]
  /// The thread pointer, `fs_base` or `tpidr_el0`; 0 if unknown.
  package var threadPointer: UInt64

  /// Creates the registers; nil unless `values` has all registers of the machine.
  package init?(machine: Registers.Machine, values: [UInt64], threadPointer: UInt64? = nil) {
    guard values.count >= machine.kernelCount else { return nil }
    self.machine = machine
    self.values = values
    self.threadPointer = threadPointer ?? (machine == .x86_64 ? values[21] : 0)
  }

  /// Creates the registers of a thread that was not stopped, of which only the program counter and
  /// the stack pointer are known. The frame pointer is a guess.
  init(
    machine: Registers.Machine, programCounter: UInt64, stackPointer: UInt64, framePointer: UInt64
  ) {
    var values = [UInt64](repeating: 0, count: machine.kernelCount)
    values[machine.programCounter] = programCounter
    values[machine.stackPointer] = stackPointer
    values[machine.framePointer] = framePointer
    self.machine = machine
    self.values = values
    threadPointer = 0
  }

  package var programCounter: UInt64 { values[machine.programCounter] }
  package var stackPointer: UInt64 { values[machine.stackPointer] }
  package var framePointer: UInt64 { values[machine.framePointer] }

  /// The system call that the thread was in when its core was dumped. Nil on aarch64, where the
  /// registers do not show whether the thread was in a call.
  var call: NativeThread.Call? {
    switch machine {
    case .x86_64:
      // `orig_rax` is the number of the call, and negative outside of calls.
      guard isInCall, let number = Int(exactly: values[15]), number < 1 << 20 else { return nil }
      return NativeThread.Call(number: number, arguments: [14, 13, 12, 7, 9, 8].map { values[$0] })
    case .aarch64: return nil
    }
  }

  /// True if a signal interrupted the thread's call: the result is EINTR, or a code with which the
  /// kernel restarts the call. A call that had already returned leaves its number in the registers,
  /// but no longer waits.
  var isInCall: Bool {
    let result = Int64(bitPattern: values[machine == .x86_64 ? 10 : 0])
    return Self.interrupted.contains(result)
  }

  /// The negative values of EINTR and of the kernel's ERESTARTSYS, ERESTARTNOINTR, ERESTARTNOHAND
  /// and ERESTART_RESTARTBLOCK.
  private static let interrupted: Set<Int64> = [-4, -512, -513, -514, -516]

  /// The registers in the order of an incident.
  package var incident: Registers {
    Registers(machine: machine, values: machine.incidentOrder.map { values[$0] })
  }

  /// The registers in DWARF order.
  var dwarf: ms_unwind_registers {
    var registers = ms_unwind_registers()
    let order = machine.dwarfOrder
    registers.count = UInt32(order.count)
    registers.program_counter = programCounter
    withUnsafeMutableBytes(of: &registers.values) { bytes in
      let words = bytes.bindMemory(to: UInt64.self)
      for (number, place) in order.enumerated() { words[number] = values[place] }
    }
    return registers
  }
}

extension Registers.Machine {
  init?(elf machine: UInt16) { self.init(rawValue: UInt32(machine)) }

  /// The machine type of the running program.
  static var here: Registers.Machine {
    #if arch(arm64)
      .aarch64
    #else
      .x86_64
    #endif
  }

  fileprivate var kernelCount: Int { self == .x86_64 ? 27 : 34 }
  fileprivate var programCounter: Int { self == .x86_64 ? 16 : 32 }
  fileprivate var stackPointer: Int { self == .x86_64 ? 19 : 31 }
  fileprivate var framePointer: Int { self == .x86_64 ? 4 : 29 }

  /// The kernel indices of the registers in DWARF order: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8
  /// to r15, rip; or x0 to x30 and sp.
  fileprivate var dwarfOrder: [Int] {
    switch self {
    case .x86_64: [10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0, 16]
    case .aarch64: Array(0...31)
    }
  }

  /// The kernel indices of the registers in `names`, as far as the kernel provides them.
  fileprivate var incidentOrder: [Int] {
    switch self {
    case .x86_64: [16, 19, 4, 10, 5, 11, 12, 13, 14, 9, 8, 7, 6, 3, 2, 1, 0, 18]
    case .aarch64: [32, 31] + Array(0...30) + [33]
    }
  }
}
