import IncidentModel

/// A failed check at the entry of a method that was called through a protocol: the conforming type
/// is isolated to an actor, which the caller does not know.
struct WitnessTrap {
  /// The method of the conforming type.
  let place: CodePlace
  private let method: String
  private let type: String
  private let owner: String

  /// Finds the method behind a protocol witness.
  ///
  /// - Parameter touched: The function that contains the check; the result is nil unless that is a
  ///   witness.
  init?(_ touched: CodePlace?) {
    guard let touched, let place = Self.method(of: touched) else { return nil }
    self.place = place
    let parts = FunctionName(place.function)
    (method, type) = (parts.last, parts.type)
    owner =
      touched.function.dropFirst(Self.mark.count).prefix { $0 != "(" && $0 != "." }.description
  }

  private static let mark = "protocol witness for "

  /// Returns the method behind a witness: `Board.did(_:)` for `protocol witness for Feed.did(_:) in
  /// conformance Board`.
  private static func method(of witness: CodePlace) -> CodePlace? {
    let name = witness.function
    guard name.hasPrefix(mark), let end = name.range(of: " in conformance ", backwards: true) else {
      return nil
    }
    let requirement = FunctionName(String(name[..<end.lowerBound].dropFirst(mark.count)))
    let type = name[end.upperBound...].prefix { $0 != " " && $0 != "<" }
    guard !type.isEmpty, requirement.last.contains("(") else { return nil }
    return CodePlace(function: "\(type).\(requirement.last)", module: witness.module)
  }

  func fix(_ home: Home) -> Finding.Fix {
    let actor = home.isOfMain ? "the main actor" : "its actor"
    return Finding.Fix(
      "The check runs at the entry of \(method) of \(type), called through \(owner). If \(method) returns "
        + "nothing, declare it nonisolated, and do its work in a Task on \(actor): the caller needs no change. "
        + "Otherwise make the protocol's requirement async. Keep the check: it caught a real bug.")
  }

  /// Returns a step with the method behind a witness in place of the witness; other steps are
  /// returned unchanged.
  static func told(_ step: Finding.Step) -> Finding.Step {
    guard let entered = step.place.flatMap(method) else { return step }
    var step = step
    step.place = entered
    step.text = "is entered, and checks its actor"
    return step
  }
}
