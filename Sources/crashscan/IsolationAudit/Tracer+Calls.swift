import CMachineCode
import Symbolication

extension Tracer {
  /// Executes a function without arguments for its results.
  mutating func result(of callee: Callee) -> Results {
    guard let address = callee.address, let function = code.file.function(containing: address)
    else { return Results(first: heap.add(.result(of: callee.name))) }
    var inner = Activation(
      function: function, registers: Registers(), place: .here, trail: [], outer: (function, 0))
    run(&inner)
    return inner.results
  }

  /// The linker name of a symbol that mentions the class whose metadata a value is; empty if unknown.
  func className(of metadata: Value) -> String {
    if case .metadata(let name) = heap.origin(of: metadata) { return name }
    return metadata.address.flatMap { code.symbol(at: $0) ?? code.symbol(at: $0 &- 16) } ?? ""
  }

  mutating func call(_ operation: ms_operation, _ activation: inout Activation) {
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
        let servesMain = isMaker(callee, name) && isForMain(activation)
        results.first = heap.add(servesMain ? .servesMain : .result(of: callee.name))
        // A value of a protocol's type is returned in memory of the caller.
        let memory = activation.registers[Registers.rax]
        if servesMain || Self.isSourceMaker(name), heap.isOwn(memory) {
          heap.store(results.first, at: memory)
        }
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

  /// True for a function of a library that makes an object, possibly with a queue.
  func isMaker(_ callee: Callee, _ name: String) -> Bool {
    (callee.address == nil || SystemCode.contains(callee.name))
      && (name.contains(".make") || name.contains("init("))
  }

  /// True for a function that makes a dispatch source.
  static func isSourceMaker(_ name: String) -> Bool { name.contains("DispatchSource.make") }

  /// The function that an operation calls, and whether the function is called through a value.
  mutating func callee(
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

  func callee(
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
  func mentions(of origin: Heap.Origin) -> ClassTables.Mention {
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
  mutating func pass(
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

  mutating func deliver(
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
    case .receiver:
      place =
        isForMain(activation)
        ? .mainQueue : isReceiverMadeHere(activation) ? .elsewhere(api) : .kept(api)
    }
    for one in found { finish(one, place, name, operation, activation) }
  }

  /// True if the receiver or an argument of a call is the main queue, or an object that was made with it. Generic code
  /// receives the address of a value.
  func isForMain(_ activation: Activation) -> Bool {
    (Registers.arguments + [Registers.r13]).contains { register in
      let value = activation.registers[register]
      return isMain(value) || heap.peek(value).map(isMain) ?? false
    }
  }

  /// True if the receiver of a call is a dispatch source that the followed code made.
  func isReceiverMadeHere(_ activation: Activation) -> Bool {
    let receiver = activation.registers[Registers.r13]
    return [receiver, heap.peek(receiver) ?? .unknown].contains { value in
      guard case .result(let name) = heap.origin(of: value) else { return false }
      return Self.isSourceMaker(code.readable(name))
    }
  }

  func isMain(_ value: Value) -> Bool {
    switch heap.origin(of: value) {
    case .servesMain: true
    case .result(let name): code.readable(name).hasSuffix("Queue.main.getter")
    default: false
    }
  }

  /// Ends the way of a traced function at a place, or follows the closure around the function.
  mutating func finish(
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
  static func isForwarder(_ name: String) -> Bool {
    name.isEmpty || ["partial apply", "thunk", "closure #"].contains(where: name.hasPrefix)
  }

  mutating func enter(
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
  mutating func note(contextOf context: Value) {
    let word = Value(object: context.object, offset: 16)
    arrivals[arrivals.count - 1].converted = heap.peek(word)?.address
  }

  mutating func arrive(
    _ traced: Int, _ place: Arrival.Place, _ name: String?, _ call: UInt64,
    _ activation: Activation
  ) {
    let outer = activation.outer ?? (activation.function, call)
    arrivals.append(
      Arrival(
        place: place, traced: traced, origin: outer.origin, call: outer.call,
        trail: activation.trail + (name.map { [$0] } ?? [])))
  }
}
