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

  private let code: ProgramCode
  private let classes: ClassTables
  private let callbacks: CallbackTable
  /// The numbers of the traced functions, by the addresses of their code and of forwarders to their code.
  private let traced: [UInt64: Int]
  private var heap = Heap()
  private var arrivals: [Arrival] = []
  private var active: [UInt64] = []
  private var steps = 0
  /// The number of calls of functions in values that are unknown.
  private var unknownCalls = 0
  /// The type of the global actor whose shared instance the function used last.
  private var actor: String?
  /// The calls whose arguments are recorded.
  private var watched: Set<UInt64> = []
  private var snapshots: [UInt64: Snapshot] = [:]

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

  private static let mostSteps = 400_000, deepest = 12

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

  private mutating func entryRegisters(of function: LinkedFile.Function) -> Registers {
    var registers = Registers()
    for register in Registers.arguments + [Registers.r13] {
      registers[register] = heap.add(.parameter(register: register, of: function.name))
    }
    return registers
  }

  /// One execution of a function.
  private struct Activation {
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
  private struct Results {
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

  private mutating func run(_ activation: inout Activation) {
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
  private mutating func execute(_ operation: ms_operation, _ activation: inout Activation) -> Bool {
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

  private func isInside(_ address: UInt64, _ function: LinkedFile.Function) -> Bool {
    address >= function.address && address - function.address < UInt64(function.size)
  }

  private func jump(to address: UInt64, _ activation: inout Activation) {
    if activation.jumps[address] == nil { activation.jumps[address] = activation.registers }
  }

  /// Handles the values that a function returns.
  private mutating func leave(_ activation: inout Activation) {
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
  private mutating func forget(_ operation: ms_operation, _ activation: inout Activation) {
    var written = operation.written
    while written != 0 {
      let register = written.trailingZeroBitCount
      written &= written - 1
      let isStack = heap.origin(of: activation.registers[register]) == .stack
      activation.registers[register] = isStack ? heap.add(.stack) : .unknown
    }
  }

  /// The address of an operation's memory operand. An unknown base becomes an object of its own.
  private mutating func place(of operation: ms_operation, _ activation: inout Activation) -> Value {
    guard operation.base != MS_NO_REGISTER else {
      return operation.is_indexed ? .unknown : .number(operation.value)
    }
    let base = Int(operation.base)
    if activation.registers[base] == .unknown { activation.registers[base] = heap.add(.unknown) }
    return activation.registers[base].moved(by: operation.value)
  }

  private mutating func load(_ place: Value) -> Value {
    guard let address = place.address else { return heap.load(place) }
    switch code.file.word(at: address) {
    case .imported(let name): return heap.add(.imported(name))
    case .address(let value) where code.file.section(containing: value)?.isCode == true:
      return .number(Int64(bitPattern: value))
    default: return heap.add(.unknown)
    }
  }

  private mutating func store(_ operation: ms_operation, _ activation: inout Activation) {
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

  /// The type of a global actor, if a function returns its shared instance.
  private static func globalActor(whoseInstanceIsGotBy name: String) -> String? {
    let bare = name.hasPrefix("static ") ? name.dropFirst(7) : name[...]
    for suffix in [".shared.getter", ".shared.unsafeMutableAddressor"]
    where bare.hasSuffix(suffix) {
      return String(bare.dropLast(suffix.count))
    }
    return nil
  }

  /// The type whose metadata an argument is, by the function that returned it.
  private func type(in registers: Registers) -> String? {
    for register in Registers.arguments + [Registers.r13] {
      guard case .result(let name) = heap.origin(of: registers[register]) else { continue }
      let readable = code.readable(name)
      let prefix = "type metadata accessor for "
      if readable.hasPrefix(prefix) { return String(readable.dropFirst(prefix.count)) }
    }
    return nil
  }

  /// Executes a function without arguments for its results.
  private mutating func result(of callee: Callee) -> Results {
    guard let address = callee.address, let function = code.file.function(containing: address)
    else { return Results(first: heap.add(.result(of: callee.name))) }
    var inner = Activation(
      function: function, registers: Registers(), place: .here, trail: [], outer: (function, 0))
    run(&inner)
    return inner.results
  }

  /// The linker name of a symbol that mentions the class whose metadata a value is; empty if unknown.
  private func className(of metadata: Value) -> String {
    if case .metadata(let name) = heap.origin(of: metadata) { return name }
    return metadata.address.flatMap { code.symbol(at: $0) ?? code.symbol(at: $0 &- 16) } ?? ""
  }

  // MARK: Calls

  private mutating func call(_ operation: ms_operation, _ activation: inout Activation) {
    let (callee, isClosure) = callee(of: operation, &activation)
    if watched.contains(operation.address) {
      var state = Snapshot(
        registers: activation.registers, actor: actor, type: type(in: activation.registers))
      if case .parameter(let register, _) = heap.origin(of: activation.registers[Registers.rcx]) {
        state.fourthParameter = register
      }
      snapshots[operation.address] = state
    }
    var results = Results()
    if let callee {
      let name = code.readable(callee.name)
      if let type = Self.globalActor(whoseInstanceIsGotBy: name) { actor = type }
      if let traced = callee.address.flatMap({ traced[$0] }) {
        arrive(traced, activation.place, nil, operation.address, activation)
        note(contextOf: activation.registers[Registers.r13])
      }
      switch RuntimeFunction(callee.name, readable: name) {
      case .allocation:
        results.first = heap.add(
          .allocation(of: className(of: activation.registers[Registers.rdi])))
      case .metadata:
        let variable = activation.registers[Registers.rdi].address
        results.first = heap.add(.metadata(variable.flatMap(code.symbol(at:)) ?? ""))
      case .stackObject: results.first = activation.registers[Registers.rsi]
      case .returnsArgument: results.first = activation.registers[Registers.rdi]
      case .blockCopy:
        // The header of a block, and the function and context that it captures.
        results.first = heap.copy(of: activation.registers[Registers.rdi], size: 48)
      case .unrelated:
        if name.hasPrefix("type metadata accessor") {
          results.first = heap.add(.result(of: callee.name))
        }
      case .defaultArgument: results = result(of: callee)
      case nil:
        let isMaker =
          (callee.address == nil || SystemCode.contains(callee.name))
          && (name.contains(".make") || name.contains("init("))
        let servesMain = isMaker && isForMain(activation)
        results.first = heap.add(servesMain ? .servesMain : .result(of: callee.name))
        // A value of a protocol's type is returned in memory of the caller.
        let memory = activation.registers[Registers.rax]
        if servesMain, heap.isOwn(memory) { heap.store(results.first, at: memory) }
        pass(to: callee, name, isClosure: isClosure, operation, &activation, &results)
      }
    } else {
      if isClosure { unknownCalls += 1 }
      pass(to: nil, "", isClosure: isClosure, operation, &activation, &results)
    }
    activation.results = results
    for register in Registers.clobbered { activation.registers[register] = .unknown }
    results.put(into: &activation.registers)
  }

  /// The function that an operation calls, and whether the function is called through a value.
  private mutating func callee(
    of operation: ms_operation, _ activation: inout Activation
  ) -> (Callee?, isClosure: Bool) {
    switch ms_operation_kind(UInt32(operation.kind)) {
    case MS_CALL, MS_JUMP: return (code.callee(at: UInt64(bitPattern: operation.value)), false)
    case MS_CALL_MEMORY, MS_JUMP_MEMORY:
      let place = place(of: operation, &activation)
      if operation.is_indexed { return (nil, true) }
      let function = load(place)
      return callee(of: function, activation.registers)
    default: return callee(of: activation.registers[Int(operation.source)], activation.registers)
    }
  }

  private func callee(
    of value: Value, _ registers: Registers
  ) -> (Callee?, isClosure: Bool) {
    if let address = value.address { return (code.callee(at: address), true) }
    switch heap.origin(of: value) {
    case .imported(let name) where value.offset == 0: return (Callee(name: name), false)
    // A method: the word of a class, which is the first word of the receiver.
    case .content(let method):
      // The witnesses of a type's values precede its metadata.
      if case .content(let table) = heap.origin(of: method), table.offset == -8 {
        return (Callee(name: "value witness"), false)
      }
      guard case .content(let receiver) = heap.origin(of: method), receiver.offset == 0 else {
        return (nil, true)
      }
      let isBlock = Registers.arguments.contains { heap.isOwn(registers[$0]) }
      let callee = classes.method(
        at: method.offset, of: mentions(of: heap.origin(of: receiver)), isBlock: isBlock)
      return (callee, false)
    default: return (nil, true)
    }
  }

  /// The linker names that mention the class of an object.
  private func mentions(of origin: Heap.Origin) -> ClassTables.Mention {
    switch origin {
    case .result(let name): return ClassTables.Mention(name: name, isMember: false)
    case .parameter(let register, let name):
      return ClassTables.Mention(name: name, isMember: register == Registers.r13)
    case .allocation(let name): return ClassTables.Mention(name: name, isMember: true)
    case .content(let field):
      let owner = mentions(of: heap.origin(of: Value(object: field.object, offset: 0)))
      let name = classes.field(at: field.offset, of: owner)
      return ClassTables.Mention(name: name ?? "", isMember: false)
    default: return ClassTables.Mention(name: "", isMember: false)
    }
  }

  /// Handles a call that may receive traced functions.
  private mutating func pass(
    to callee: Callee?, _ name: String, isClosure: Bool, _ operation: ms_operation,
    _ activation: inout Activation, _ results: inout Results
  ) {
    var found = carriedByArguments(
      &activation, onStack: callee.map { SwiftSymbol($0.name).takesFunctions } ?? false)
    let context = activation.registers[Registers.r13]
    // The optimizer lets equal closures jump to one of them, with their context.
    let continues = operation.kind == MS_JUMP.rawValue && Self.isForwarder(name)
    // Of a function that is unknown, the context is unknown too: the register has the context of this function.
    if isClosure && callee != nil || continues {
      found += carried(by: context, context: nil, &activation)
    }
    if found.isEmpty { return }
    if callee != nil, let api = callbacks.api(name) {
      deliver(found, to: api, name, operation, activation, &results)
    } else if let callee, let address = callee.address, !SystemCode.contains(callee.name),
      let function = code.file.function(containing: address)
    {
      enter(function, activation.registers, activation.place, name, operation, activation, &results)
    } else if callee.map({ SwiftSymbol($0.name).mayReceiveFunctions }) ?? true {
      let place =
        callee.map { SwiftSymbol($0.name).keepsFunctions ? .kept(nil) : activation.place }
        ?? .kept(nil)
      let name = callee == nil ? Self.unknownReceiver : name
      for one in found { finish(one, place, name, operation, activation) }
    }
  }

  private mutating func deliver(
    _ found: [Carried], to api: CallbackAPI, _ name: String, _ operation: ms_operation,
    _ activation: Activation, _ results: inout Results
  ) {
    let place: Arrival.Place
    switch api.place {
    case .holder:
      let holder = heap.add(.allocation(of: ""))
      for (index, one) in found.enumerated() {
        heap.store(one.function, at: holder.moved(by: Int64(index) * 16))
        heap.store(one.context, at: holder.moved(by: Int64(index) * 16 + 8))
      }
      results.first = holder
      return
    case .inline: place = activation.place
    case .main: place = .mainQueue
    case .kept: place = .kept(api)
    case .elsewhere: place = isForMain(activation) ? .mainQueue : .elsewhere(api)
    }
    for one in found { finish(one, place, name, operation, activation) }
  }

  /// True if the receiver or an argument of a call is the main queue, or an object that was made with it. Generic code
  /// receives the address of a value.
  private func isForMain(_ activation: Activation) -> Bool {
    (Registers.arguments + [Registers.r13]).contains { register in
      let value = activation.registers[register]
      return isMain(value) || heap.peek(value).map(isMain) ?? false
    }
  }

  private func isMain(_ value: Value) -> Bool {
    switch heap.origin(of: value) {
    case .servesMain: true
    case .result(let name): code.readable(name).hasSuffix("Queue.main.getter")
    default: false
    }
  }

  /// Ends the way of a traced function at a place, or follows the closure around the function.
  private mutating func finish(
    _ found: Carried, _ place: Arrival.Place, _ name: String, _ operation: ms_operation,
    _ activation: Activation
  ) {
    guard found.isWrapped else {
      arrive(found.traced, place, name, operation.address, activation)
      note(contextOf: found.context)
      return
    }
    let (before, callsBefore) = (arrivals.count, unknownCalls)
    if let address = found.function.address, let function = code.file.function(containing: address),
      function.address == address
    {
      var registers = Registers()
      registers[Registers.r13] = found.context
      var results = Results()
      enter(function, registers, place, name, operation, activation, &results)
    }
    if !arrivals[before...].contains(where: { $0.traced == found.traced }) {
      // In generic code, the offsets of captured values are not known, but a call of a captured function is.
      let isCalled = unknownCalls > callsBefore || place == .here
      arrive(found.traced, isCalled ? place : .kept(nil), name, operation.address, activation)
    }
  }

  /// True for a function that is not worth a place in a trail.
  private static func isForwarder(_ name: String) -> Bool {
    name.isEmpty || ["partial apply", "thunk", "closure #"].contains(where: name.hasPrefix)
  }

  private mutating func enter(
    _ function: LinkedFile.Function, _ registers: Registers, _ place: Arrival.Place, _ name: String,
    _ operation: ms_operation, _ activation: Activation,
    _ results: inout Results
  ) {
    var inner = Activation(
      function: function, registers: registers, place: place,
      trail: activation.trail + (Self.isForwarder(name) ? [] : [name]),
      outer: activation.outer ?? (activation.function, operation.address))
    run(&inner)
    results = inner.results
  }

  /// Notes the function in the context of a thunk that has just arrived.
  private mutating func note(contextOf context: Value) {
    let word = Value(object: context.object, offset: 16)
    arrivals[arrivals.count - 1].converted = heap.peek(word)?.address
  }

  private mutating func arrive(
    _ traced: Int, _ place: Arrival.Place, _ name: String?, _ call: UInt64,
    _ activation: Activation
  ) {
    let outer = activation.outer ?? (activation.function, call)
    arrivals.append(
      Arrival(
        place: place, traced: traced, origin: outer.origin, call: outer.call,
        trail: activation.trail + (name.map { [$0] } ?? [])))
  }

  // MARK: Arguments

  /// A traced function within the arguments of a call.
  private struct Carried {
    var traced: Int
    /// The function that is passed: the traced function itself, or a closure around it.
    var function: Value
    var context: Value
    var isWrapped: Bool
  }

  /// - Parameter onStack: True if arguments may be on the stack, where other words may be variables of the caller.
  private mutating func carriedByArguments(
    _ activation: inout Activation, onStack: Bool
  ) -> [Carried] {
    var values = Registers.arguments.map { activation.registers[$0] }
    // Arguments are on the stack only if the registers are used up.
    if onStack, activation.registers[Registers.r9] != .unknown {
      let top = activation.registers[Registers.rsp]
      values += (0..<6).map { heap.peek(top.moved(by: $0 * 8)) ?? .unknown }
    }
    var found: [Carried] = []
    for (index, value) in values.enumerated() {
      let next = index + 1 < values.count ? values[index + 1] : nil
      found += carried(by: value, context: next, &activation)
    }
    return found
  }

  /// The traced functions that a value carries: the value itself, a closure with a context, or memory that
  /// contains them.
  private func carried(
    by value: Value, context: Value?, _ activation: inout Activation
  ) -> [Carried] {
    if let address = value.address {
      if let number = traced[address] {
        return [
          Carried(traced: number, function: value, context: context ?? .unknown, isWrapped: false)
        ]
      }
      guard let context, context.isReference,
        code.file.section(containing: address)?.isCode == true
      else { return [] }
      return reachable(from: context).sorted().map {
        Carried(traced: $0, function: value, context: context, isWrapped: true)
      }
    }
    return contents(of: value, depth: 3)
  }

  /// The traced functions in the memory at a value. On the stack, only a single closure: other words there belong
  /// to other variables.
  private func contents(of value: Value, depth: Int) -> [Carried] {
    guard value.isReference, depth > 0 else { return [] }
    let isStack = heap.origin(of: value) == .stack
    let words =
      isStack
      ? heap.words(of: value, from: value.offset, to: value.offset + 16) : heap.words(of: value)
    var found: [Carried] = []
    var skipped: Int64?
    for word in words where word.offset != skipped {
      let next = heap.peek(Value(object: value.object, offset: word.offset + 8))
      if let address = word.value.address {
        if let number = traced[address] {
          found.append(
            Carried(
              traced: number, function: word.value, context: next ?? .unknown, isWrapped: false))
        } else if let next, code.file.section(containing: address)?.isCode == true {
          found += reachable(from: next).sorted().map {
            Carried(traced: $0, function: word.value, context: next, isWrapped: true)
          }
          skipped = word.offset + 8
        }
      } else if word.value.object != value.object, heap.isOwn(word.value) {
        found += contents(of: word.value, depth: depth - 1)
      }
    }
    return found
  }

  /// The traced functions that a closure's context contains, at any depth.
  private func reachable(from context: Value) -> Set<Int> {
    var found: Set<Int> = []
    var seen: Set<Int> = []
    var open = [context]
    while let value = open.popLast(), seen.count < 64 {
      guard value.isReference, seen.insert(value.object).inserted else { continue }
      let isStack = heap.origin(of: value) == .stack
      let words =
        isStack
        ? heap.words(of: value, from: value.offset, to: value.offset + 96) : heap.words(of: value)
      for word in words {
        if let number = word.value.address.flatMap({ traced[$0] }) { found.insert(number) }
        if heap.isOwn(word.value) { open.append(word.value) }
      }
    }
    return found
  }
}
