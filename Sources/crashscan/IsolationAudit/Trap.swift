import CMachineCode
import Glibc
import Symbolication

/// A call of a function that ends the process if the code does not run where it must.
struct Trap {
  enum Kind: Hashable {
    /// The check that the compiler inserts at the entry of an isolated closure or witness.
    case entry
    /// A check in the source, with the readable name of its function.
    case assumption(String)
    /// `dispatchPrecondition`, or the function of Dispatch that it calls.
    case queue
    /// A check of Mainstay.
    case library
  }

  var kind: Kind
  /// The address of the call.
  var address: UInt64
  var function: LinkedFile.Function
  /// The file and line that the check would report: `App/Model.swift`.
  var file: String?
  var line: Int?
  /// The global actor, or nil if the actor is another one or unknown.
  var actor: String?

  var isOfMainActor: Bool { actor == nil || actor == "MainActor" }
}

/// The functions that check isolation.
private enum CheckFunction {
  case trap(Trap.Kind)
  /// Returns whether the code runs on an executor; the caller decides what a failure means.
  case query

  init?(_ name: String, readable: @autoclosure () -> String) {
    switch name {
    case "swift_task_reportUnexpectedExecutor": self = .trap(.entry)
    case "swift_task_isCurrentExecutor", "swift_task_isCurrentExecutorWithFlags": self = .query
    case _ where name.hasPrefix("dispatch_assert_queue"): self = .trap(.queue)
    case _ where name.hasPrefix("$s"):
      guard Self.words.contains(where: name.contains) else { return nil }
      var text = readable()[...]
      while let prefix = ["static ", "specialized ", "generic specialized ", "merged "].first(
        where: text.hasPrefix)
      {
        text.removeFirst(prefix.count)
      }
      let base = text.prefix { $0 != "(" && $0 != "<" }
      // Closures and default arguments of a check are no checks.
      if base.contains(" ") { return nil }
      switch base.split(separator: ".").last {
      case "_checkExpectedExecutor": self = .trap(.entry)
      case "assumeIsolated", "preconditionIsolated", "assertIsolated":
        // Event loops have methods of these names.
        guard
          ["MainActor", "Actor", "GlobalActor", "DistributedActor"].contains(
            base.prefix { $0 != "." })
        else {
          return nil
        }
        self = .trap(.assumption(String(base)))
      case "_dispatchPreconditionTest": self = .trap(.queue)
      case "refuseMainQueue", "refuseIsolation":
        guard SystemCode.isMainstay(name) else { return nil }
        self = .trap(.library)
      default: return nil
      }
    default: return nil
    }
  }

  /// Parts of the linker names of Swift's check functions.
  private static let words = [
    "solated", "_checkExpectedExecutor", "dispatchPrecondition", "refuse",
  ]

  /// True if a name may be that of a check function.
  static func mayBe(_ name: UnsafePointer<CChar>) -> Bool {
    if name[0] == UInt8(ascii: "$") { return words.contains { strstr(name, $0) != nil } }
    return strncmp(name, "swift_task_", 11) == 0 || strncmp(name, "dispatch_assert", 15) == 0
  }
}

/// Finds the traps of a file.
struct TrapSearch {
  private let code: ProgramCode
  private var tracer: Tracer
  private var checks: [UInt64: CheckFunction] = [:]

  init(_ code: ProgramCode, _ tracer: Tracer) {
    self.code = code
    self.tracer = tracer
    for (slot, name) in code.file.imports {
      if let check = CheckFunction(name, readable: code.readable(name)) { checks[slot] = check }
    }
    var own: [(String, UInt64)] = []
    code.file.forEachSymbol { name, address in
      if CheckFunction.mayBe(name) { own.append((String(cString: name), address)) }
    }
    for (name, address) in own {
      guard code.file.section(containing: address)?.isCode == true else { continue }
      if let check = CheckFunction(name, readable: code.readable(name)) { checks[address] = check }
    }
  }

  /// Returns the traps in the program's own functions.
  mutating func traps() -> [Trap] {
    addStubs()
    var calls: [UInt64: [UInt64: CheckFunction]] = [:]
    var functions: [UInt64: LinkedFile.Function] = [:]
    for reference in code.references(to: Array(checks.keys)) {
      guard reference.kind != MS_REFERENCE_ADDRESS, let check = checks[reference.target],
        let function = code.file.function(containing: reference.place), isProgram(function)
      else { continue }
      calls[function.address, default: [:]][reference.place] = check
      functions[function.address] = function
    }
    return functions.keys.sorted().flatMap { traps(in: functions[$0]!, calls[$0]!) }
  }

  /// Adds the entries of the procedure linkage table that lead to checks.
  private mutating func addStubs() {
    for reference in code.references(to: Array(checks.keys))
    where reference.kind == MS_REFERENCE_MEMORY {
      guard code.file.function(containing: reference.place) == nil else { continue }
      for distance: UInt64 in [0, 1, 4, 5] {
        let start = reference.place - distance
        if code.callee(at: start) != nil { checks[start] = checks[reference.target] }
      }
    }
  }

  private func isProgram(_ function: LinkedFile.Function) -> Bool {
    if SystemCode.contains(function.name) || SystemCode.isMainstay(function.name)
      || function.name.hasPrefix("swift_")
    {
      return false
    }
    return CheckFunction(function.name, readable: code.readable(function.name)) == nil
  }

  private mutating func traps(
    in function: LinkedFile.Function, _ calls: [UInt64: CheckFunction]
  ) -> [Trap] {
    let states = tracer.states(before: Set(calls.keys), in: function)
    return calls.keys.sorted().flatMap { address -> [Trap] in
      guard let check = calls[address] else { return [] }
      guard let state = states[address] else {
        return passedCheck(check, at: address, in: function)
      }
      switch check {
      case .trap(let kind):
        var trap = Trap(kind: kind, address: address, function: function, actor: state.actor)
        if case .assumption(let name) = kind, name.hasPrefix("GlobalActor."), let type = state.type
        {
          trap.kind = .assumption(type + name.dropFirst("GlobalActor".count))
          trap.actor = type
        }
        if kind == .entry { read(state.registers, &trap) }
        guard trap.line == nil, let register = state.fourthParameter else { return [trap] }
        let copies = copies(of: trap, lineIn: register)
        return copies.isEmpty ? [trap] : copies
      case .query:
        guard isAssumption(address, in: function) else { return [] }
        return [
          Trap(
            kind: .assumption((state.actor.map { $0 + "." } ?? "") + "assumeIsolated"),
            address: address, function: function,
            actor: state.actor)
        ]
      }
    }
  }

  /// The trap of a function that hands a check to a merged function, which calls it.
  private func passedCheck(
    _ check: CheckFunction, at address: UInt64, in function: LinkedFile.Function
  ) -> [Trap] {
    let operation = code.operations(of: function).first { $0.address == address }
    guard operation?.kind == UInt8(MS_LOAD.rawValue), case .trap(let kind) = check, kind != .entry
    else { return [] }
    return [Trap(kind: kind, address: address, function: function)]
  }

  /// The traps for which the optimizer merged equal functions into one, which receives the line in a register: one for
  /// each function that calls the merged one.
  private mutating func copies(of trap: Trap, lineIn register: Int) -> [Trap] {
    var copies: [Trap] = []
    for reference in code.references(to: trap.function.address)
    where reference.kind == MS_REFERENCE_CALL || reference.kind == MS_REFERENCE_JUMP {
      guard let caller = code.file.function(containing: reference.place),
        let state = tracer.states(before: [reference.place], in: caller)[reference.place],
        let line = state.registers[register].address, line > 0, line < 1 << 31
      else { continue }
      var copy = trap
      (copy.function, copy.line) = (caller, Int(line))
      copies.append(copy)
    }
    return copies
  }

  /// Reads the file and the line from the arguments of an entry check.
  private func read(_ registers: Registers, _ trap: inout Trap) {
    if let start = registers[Registers.rdi].address, let size = registers[Registers.rsi].address,
      size < 4096, let bytes = code.file.bytes(at: start, count: Int(size))
    {
      trap.file = String(decoding: bytes, as: UTF8.self)
    }
    if let line = registers[Registers.rcx].address, line > 0, line < 1 << 31 {
      trap.line = Int(line)
    }
  }

  /// True if a query is part of `assumeIsolated` or a similar function that was inlined: neither way from the query
  /// leads first to the report of an entry check.
  private func isAssumption(_ address: UInt64, in function: LinkedFile.Function) -> Bool {
    let operations = code.operations(of: function)
    guard let index = operations.firstIndex(where: { $0.address == address }) else { return false }
    guard
      let branch = operations[(index + 1)...].prefix(6).first(where: {
        $0.kind == MS_BRANCH.rawValue
      })
    else { return false }
    let ways = [branch.address + UInt64(branch.length), UInt64(bitPattern: branch.value)]
    return !ways.contains { leadsToReport($0, operations) }
  }

  private func leadsToReport(_ start: UInt64, _ operations: [ms_operation]) -> Bool {
    var next = operations.firstIndex { $0.address == start }
    for _ in 0..<16 {
      guard let index = next, index < operations.count else { return false }
      let operation = operations[index]
      switch ms_operation_kind(UInt32(operation.kind)) {
      case MS_CALL, MS_CALL_MEMORY:
        if case .trap(.entry) = checks[UInt64(bitPattern: operation.value)] { return true }
        return false
      case MS_JUMP:
        let target = UInt64(bitPattern: operation.value)
        next = operations.firstIndex { $0.address == target }
      case MS_RETURN, MS_TRAP, MS_BRANCH: return false
      default: next = index + 1
      }
    }
    return false
  }
}
