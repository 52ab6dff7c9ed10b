import CMachineCode
import Symbolication

/// Follows functions that can trap from the code that mentions them to the code that receives them.
///
/// The tracer executes each function once, from its start to its end, with symbolic values, and follows calls that
/// receive one of the traced functions. It knows neither loops nor conditions: after a branch, it continues with the
/// next instruction, and at the target of a jump that no instruction falls into, with the registers of the jump.
struct Tracer {
  /// The end of a traced function's way.
  struct Arrival {
    /// The place where the function is called.
    enum Place: Equatable {
      /// The function is called before the call that takes it returns.
      case here
      case elsewhere(CallbackAPI)
      case mainQueue
      /// The function is kept by code that calls it later, or by unknown code; with the rule, if there is one.
      case kept(CallbackAPI?)
    }

    var place: Place
    /// The number of the traced function.
    var traced: Int
    /// The function that contains the traced function's first call, and the call's address.
    var origin: LinkedFile.Function
    var call: UInt64
    /// The readable names of the functions that received the traced function, in order.
    var trail: [String]
    /// The function that a traced thunk calls; nil if unknown.
    var converted: UInt64?
  }

  let code: ProgramCode
  let classes: ClassTables
  let callbacks: CallbackTable
  /// The numbers of the traced functions, by the addresses of their code and of forwarders to their code.
  let traced: [UInt64: Int]
  var heap = Heap()
  var arrivals: [Arrival] = []
  var active: [UInt64] = []
  var steps = 0
  /// The number of calls of functions in values that are unknown.
  var unknownCalls = 0
  /// The type of the global actor whose shared instance the function used last.
  var actor: String?
  /// The calls whose arguments are recorded.
  var watched: Set<UInt64> = []
  var snapshots: [UInt64: Snapshot] = [:]

  /// The state before a call.
  struct Snapshot {
    var registers: Registers
    /// The type of the global actor whose shared instance the function used last.
    var actor: String?
    /// The type whose metadata is an argument.
    var type: String?
    /// The register at the function's entry whose value is now in the fourth argument.
    var fourthParameter: Int?
  }

  /// The name of a function in a value.
  static let unknownReceiver = "a function that is known only at run time"

  static let mostSteps = 400_000, deepest = 12

  init(
    _ code: ProgramCode, classes: ClassTables, callbacks: CallbackTable, traced: [UInt64: Int]
  ) {
    self.code = code
    self.classes = classes
    self.callbacks = callbacks
    self.traced = traced
  }

  /// Returns the arrivals of the traced functions that a function mentions.
  mutating func trace(from origin: LinkedFile.Function) -> [Arrival] {
    heap = Heap()
    arrivals = []
    steps = 0
    actor = nil
    var activation = Activation(
      function: origin, registers: entryRegisters(of: origin), place: .here, trail: [])
    run(&activation)
    return arrivals
  }

  /// Returns the states before calls of a function. An address without an instruction has no state.
  mutating func states(
    before calls: Set<UInt64>, in function: LinkedFile.Function
  ) -> [UInt64: Snapshot] {
    watched = calls
    snapshots = [:]
    _ = trace(from: function)
    watched = []
    return snapshots
  }

  mutating func entryRegisters(of function: LinkedFile.Function) -> Registers {
    var registers = Registers()
    for register in Registers.arguments + [Registers.r13] {
      registers[register] = heap.add(.parameter(register: register, of: function.name))
    }
    return registers
  }

  /// The state of one execution of a function.
  struct Activation {
    var function: LinkedFile.Function
    var registers: Registers
    /// The place where the function runs.
    var place: Arrival.Place
    var trail: [String]
    /// The call of the origin that led here; nil in the origin itself.
    var outer: (origin: LinkedFile.Function, call: UInt64)?
    /// The registers at jumps to later addresses.
    var jumps: [UInt64: Registers] = [:]
    var results = Results()
  }

  /// The values that a function returns in registers.
  struct Results {
    private static let registers = [Registers.rdx, Registers.rcx, Registers.r8]

    var first = Value.unknown
    var others = [Value](repeating: .unknown, count: 3)

    init(first: Value = .unknown) { self.first = first }

    init(of registers: Registers) {
      first = registers[Registers.rax]
      others = Self.registers.map { registers[$0] }
    }

    func put(into registers: inout Registers) {
      registers[Registers.rax] = first
      for (register, value) in zip(Self.registers, others) { registers[register] = value }
    }
  }

  // MARK: Execution

  mutating func run(_ activation: inout Activation) {
    // A function may pass a closure to itself once, through a closure of its own.
    let again = active.count { $0 == activation.function.address }
    guard active.count < Self.deepest, again < 2 else { return }
    active.append(activation.function.address)
    defer { active.removeLast() }
    activation.registers[Registers.rsp] = heap.add(.stack)
    var isReachable = true
    for operation in code.operations(of: activation.function) {
      steps += 1
      if steps > Self.mostSteps { return }
      if !isReachable, let registers = activation.jumps[operation.address] {
        activation.registers = registers
      }
      isReachable = !execute(operation, &activation)
    }
  }

  /// Executes an operation; returns true if the next operation does not follow.
  mutating func execute(_ operation: ms_operation, _ activation: inout Activation) -> Bool {
    let target = Int(operation.target), source = Int(operation.source)
    switch ms_operation_kind(UInt32(operation.kind)) {
    case MS_MOVE:
      let isWide = operation.width == 16
      let (low, high) = (activation.registers[source], activation.registers[source + 16])
      activation.registers[target] = low
      if target >= 16 { activation.registers[target + 16] = isWide ? high : .unknown }
    case MS_CONSTANT: activation.registers[target] = .number(operation.value)
    case MS_ADDRESS: activation.registers[target] = place(of: operation, &activation)
    case MS_ADD:
      activation.registers[target] = activation.registers[target].moved(by: operation.value)
    case MS_LOAD:
      let place = place(of: operation, &activation)
      activation.registers[target] = operation.is_indexed ? .unknown : load(place)
      if target >= 16 {
        activation.registers[target + 16] =
          operation.width == 16 && !operation.is_indexed ? load(place.moved(by: 8)) : .unknown
      }
    case MS_STORE: store(operation, &activation)
    case MS_JOIN: activation.registers[target + 16] = activation.registers[source]
    case MS_PUSH:
      let top = activation.registers[Registers.rsp].moved(by: -8)
      activation.registers[Registers.rsp] = top
      heap.store(activation.registers[source], at: top)
    case MS_POP:
      let top = activation.registers[Registers.rsp]
      activation.registers[target] = heap.load(top)
      activation.registers[Registers.rsp] = top.moved(by: 8)
    case MS_CALL, MS_CALL_REGISTER, MS_CALL_MEMORY: call(operation, &activation)
    case MS_JUMP:
      let address = UInt64(bitPattern: operation.value)
      if isInside(address, activation.function) {
        jump(to: address, &activation)
      } else {
        call(operation, &activation)
        leave(&activation)
      }
      return true
    case MS_JUMP_REGISTER, MS_JUMP_MEMORY:
      call(operation, &activation)
      leave(&activation)
      return true
    case MS_BRANCH: jump(to: UInt64(bitPattern: operation.value), &activation)
    case MS_RETURN:
      activation.results = Results(of: activation.registers)
      leave(&activation)
      return true
    case MS_TRAP: return true
    default: forget(operation, &activation)
    }
    return false
  }

  func isInside(_ address: UInt64, _ function: LinkedFile.Function) -> Bool {
    address >= function.address && address - function.address < UInt64(function.size)
  }

  func jump(to address: UInt64, _ activation: inout Activation) {
    if activation.jumps[address] == nil { activation.jumps[address] = activation.registers }
  }

  /// Handles the values that a function returns.
  mutating func leave(_ activation: inout Activation) {
    guard activation.outer == nil else { return }
    let results = activation.results
    for found in carried(by: results.first, context: results.others[0], &activation) {
      arrive(
        found.traced, .kept(nil), "the caller of " + code.readable(activation.function.name), 0,
        activation)
    }
  }

  /// Marks the registers that an operation writes as unknown. Memory that is allocated on the stack at run time
  /// remains memory of the function.
  mutating func forget(_ operation: ms_operation, _ activation: inout Activation) {
    var written = operation.written
    while written != 0 {
      let register = written.trailingZeroBitCount
      written &= written - 1
      let isStack = heap.origin(of: activation.registers[register]) == .stack
      activation.registers[register] = isStack ? heap.add(.stack) : .unknown
    }
  }

  /// The address of an operation's memory operand. An unknown base becomes an object of its own.
  mutating func place(of operation: ms_operation, _ activation: inout Activation) -> Value {
    guard operation.base != MS_NO_REGISTER else {
      return operation.is_indexed ? .unknown : .number(operation.value)
    }
    let base = Int(operation.base)
    if activation.registers[base] == .unknown { activation.registers[base] = heap.add(.unknown) }
    return activation.registers[base].moved(by: operation.value)
  }

  mutating func load(_ place: Value) -> Value {
    guard let address = place.address else { return heap.load(place) }
    if let name = code.symbol(at: address), name.hasSuffix("6sharedACvpZ"),
      let type = classes.actor(ofMember: name)
    {
      actor = type
    }
    switch code.file.word(at: address) {
    case .imported(let name): return heap.add(.imported(name))
    case .address(let value) where code.file.section(containing: value)?.isCode == true:
      return .number(Int64(bitPattern: value))
    default: return heap.add(.unknown)
    }
  }

  mutating func store(_ operation: ms_operation, _ activation: inout Activation) {
    let place = place(of: operation, &activation)
    let source = Int(operation.source)
    let values =
      operation.width == 16
      ? [activation.registers[source], activation.registers[source + 16]]
      : [operation.source == MS_NO_REGISTER ? .unknown : activation.registers[source]]
    for (index, value) in values.enumerated() {
      if !operation.is_indexed { heap.store(value, at: place.moved(by: Int64(index) * 8)) }
    }
    if !operation.is_indexed && heap.isOwn(place) { return }
    for found in carried(by: values[0], context: values.count > 1 ? values[1] : nil, &activation) {
      arrive(found.traced, .kept(nil), nil, operation.address, activation)
    }
  }

  /// The type of a global actor, if a function returns its shared instance; nil in generic code.
  static func globalActor(whoseInstanceIsGotBy name: String) -> String? {
    if name.hasPrefix("dispatch thunk of ") { return nil }
    let bare = name.hasPrefix("static ") ? name.dropFirst(7) : name[...]
    for suffix in [".shared.getter", ".shared.unsafeMutableAddressor"]
    where bare.hasSuffix(suffix) {
      return String(bare.dropLast(suffix.count))
    }
    return nil
  }

  /// The type whose metadata an argument is, by the function that returned it.
  func type(in registers: Registers) -> String? {
    for register in Registers.arguments + [Registers.r13] {
      guard case .result(let name) = heap.origin(of: registers[register]) else { continue }
      let readable = code.readable(name)
      let prefix = "type metadata accessor for "
      if readable.hasPrefix(prefix) { return String(readable.dropFirst(prefix.count)) }
    }
    return nil
  }
}
