/// An option in the table, for parser, help, man page and completions.
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
  /// nil for a flag.
  var value: Value?
  var isRepeatable = false
  /// One sentence without a stop.
  var summary: String
  /// More of it, for the man page.
  var discussion = ""

  /// The name as it is typed.
  var flag: String { "--\(name)" }
  /// The name and its value as they are typed.
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
  /// An option that is there or not.
  init(flag name: String, summary: String, discussion: String = "") {
    self.init(entry: OptionEntry(name: name, summary: summary, discussion: discussion))
  }
}

extension Option
where Value: CaseIterable & RawRepresentable, Value.RawValue == String, Value.AllCases == [Value] {
  /// An option whose value is one of few.
  init(oneOf name: String, takes placeholder: String, summary: String, discussion: String = "") {
    let choices = Value.allCases.map(\.rawValue)
    self.init(
      name, takes: placeholder, "one of \(choices.joined(separator: ", "))",
      completion: .choice(choices), summary: summary, discussion: discussion,
      read: { Value(rawValue: $0) })
  }
}
