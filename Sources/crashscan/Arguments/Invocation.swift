/// A command as it was typed: its options' values and its operands.
struct Invocation: Sendable {
  private(set) var operands: [String] = []
  private var values: [String: [any Sendable]] = [:]

  /// The values an option was given, in their order.
  func all<Value>(_ option: Option<Value>) -> [Value] {
    values[option.entry.name, default: []].compactMap { $0 as? Value }
  }

  /// The value an option was given, the last if there are several.
  subscript<Value>(option: Option<Value>) -> Value? { all(option).last }

  /// Whether a flag was given.
  subscript(flag: Option<Bool>) -> Bool { values[flag.entry.name] != nil }

  mutating func add(_ value: any Sendable, to option: OptionEntry) {
    values[option.name, default: []].append(value)
  }

  mutating func add(operand: String) { operands.append(operand) }
}
