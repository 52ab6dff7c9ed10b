import CProcessMemory
import IncidentModel

/// A thread's general registers, in the order of the kernel's `struct user_regs_struct`, which ptrace and core dumps share.
package struct ThreadRegisters: Hashable, Sendable {
  package let machine: Registers.Machine
  /// In the kernel's order.
  package let values: [UInt64]
  /// The address of the thread's own data, `fs_base` or `tpidr_el0`; 0 if unknown.
  package var threadPointer: UInt64

  /// Nil unless `values` has all registers of the machine.
  package init?(machine: Registers.Machine, values: [UInt64], threadPointer: UInt64? = nil) {
    guard values.count >= machine.kernelCount else { return nil }
    self.machine = machine
    self.values = values
    self.threadPointer = threadPointer ?? (machine == .x86_64 ? values[21] : 0)
  }

  /// The registers of a thread that was not stopped: all that is known is where it is and where its stack ends.
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

  /// The system call that the thread was in when its core was dumped. On aarch64 nothing tells whether it was in one.
  var call: NativeThread.Call? {
    switch machine {
    case .x86_64:
      // `orig_rax` is the call's number, and negative outside of calls.
      guard isInCall, let number = Int(exactly: values[15]), number < 1 << 20 else { return nil }
      return NativeThread.Call(number: number, arguments: [14, 13, 12, 7, 9, 8].map { values[$0] })
    case .aarch64: return nil
    }
  }

  /// Whether an interruption ended the thread's call, which the kernel repeats or ends by EINTR: its result says so. Of a call
  /// that had returned already the registers keep the number, but the thread waits no more.
  var isInCall: Bool {
    let result = Int64(bitPattern: values[machine == .x86_64 ? 10 : 0])
    return Self.interrupted.contains(result)
  }

  /// EINTR, and the kernel's ERESTARTSYS, ERESTARTNOINTR, ERESTARTNOHAND and ERESTART_RESTARTBLOCK, negative.
  private static let interrupted: Set<Int64> = [-4, -512, -513, -514, -516]

  /// As an incident has them.
  package var incident: Registers {
    Registers(machine: machine, values: machine.incidentOrder.map { values[$0] })
  }

  /// As DWARF numbers them.
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

  /// The machine that this program runs on.
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

  /// rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 to r15, rip; or x0 to x30 and sp.
  fileprivate var dwarfOrder: [Int] {
    switch self {
    case .x86_64: [10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0, 16]
    case .aarch64: Array(0...31)
    }
  }

  /// The places of `names`, as far as the kernel's registers have them.
  fileprivate var incidentOrder: [Int] {
    switch self {
    case .x86_64: [16, 19, 4, 10, 5, 11, 12, 13, 14, 9, 8, 7, 6, 3, 2, 1, 0, 18]
    case .aarch64: [32, 31] + Array(0...30) + [33]
    }
  }
}
