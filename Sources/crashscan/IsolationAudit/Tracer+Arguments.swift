import Symbolication

extension Tracer {
  /// A traced function within the arguments of a call.
  struct Carried {
    var traced: Int
    /// The function that is passed: the traced function itself, or a closure around it.
    var function: Value
    var context: Value
    var isWrapped: Bool
  }

  /// - Parameter onStack: True if arguments may be on the stack, where other words may be variables of the caller.
  mutating func carriedByArguments(
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
  func carried(
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
  func contents(of value: Value, depth: Int) -> [Carried] {
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
  func reachable(from context: Value) -> Set<Int> {
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
