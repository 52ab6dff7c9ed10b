/// An option in the table, for the parser, help, man page and completions.
struct OptionEntry: Sendable {
  /// The value of an option.
  struct Value: Sendable {
    /// The kind of the value, for completion by a shell.
    enum CompletionKind: Sendable {
      case text
      case file
      case directory
      case choice([String])
    }

    /// The placeholder for the value in the help.
    var placeholder: String
    /// A description of valid values, for an error: "a whole number above 0".
    var expectation: String
    var completion: CompletionKind
    var read: @Sendable (String) -> (any Sendable)?
  }

  /// The name, without its dashes.
  var name: String
  /// The option's value; nil for a flag.
  var value: Value?
  var isRepeatable = false
  /// The summary, one sentence without a full stop.
  var summary: String
  /// Further text for the man page.
  var discussion = ""

  /// The name with its dashes.
  var flag: String { "--\(name)" }
  /// The flag and the placeholder for its value.
  var usage: String { value.map { "\(flag) \($0.placeholder)" } ?? flag }
}

/// An option whose values are of type `Value`.
struct Option<Value: Sendable>: Sendable {
  let entry: OptionEntry

  private init(entry: OptionEntry) { self.entry = entry }

  init(
    _ name: String, takes placeholder: String, _ expectation: String,
    completion: OptionEntry.Value.CompletionKind = .text, isRepeatable: Bool = false,
    summary: String,
    discussion: String = "", read: @escaping @Sendable (String) -> Value?
  ) {
    let value = OptionEntry.Value(
      placeholder: placeholder, expectation: expectation, completion: completion, read: read)
    entry = OptionEntry(
      name: name, value: value, isRepeatable: isRepeatable, summary: summary,
      discussion: discussion)
  }
}

extension Option where Value == Bool {
  /// Creates a flag, an option without a value.
  init(flag name: String, summary: String, discussion: String = "") {
    self.init(entry: OptionEntry(name: name, summary: summary, discussion: discussion))
  }
}

extension Option
where Value: CaseIterable & RawRepresentable, Value.RawValue == String, Value.AllCases == [Value] {
  /// Creates an option whose value is one of a fixed set.
  init(oneOf name: String, takes placeholder: String, summary: String, discussion: String = "") {
    let choices = Value.allCases.map(\.rawValue)
    self.init(
      name, takes: placeholder, "one of \(choices.joined(separator: ", "))",
      completion: .choice(choices), summary: summary, discussion: discussion,
      read: { Value(rawValue: $0) })
  }
}
