import IncidentModel

/// Mends in the names of the input.
enum Mends {
  /// Hop where the callback comes in.
  static func hop(_ work: OffMainWork) -> Finding.Mend {
    guard let culprit = work.culprit else {
      return Finding.Mend("Send the work to the main queue where its callback comes in.")
    }
    let name = FunctionName(culprit.function)
    let call = work.reading.touched.flatMap { touched in
      touched.place == culprit ? nil : FunctionName(touched.place.function).last
    }
    let body = call.map(invocation) ?? "… // “\(work.api)”"
    if name.isClosure {
      return Finding.Mend(
        "Hop to the main queue in \(Words.name(culprit)).",
        sketch: [
          "// in \(name.written), where the closure begins",
          "DispatchQueue.main.async { [weak self] in",
          "  self?.\(body)",
          "}",
        ])
    }
    return Finding.Mend(
      "Hop to the main queue where \(Words.name(culprit)) is entered.",
      sketch: [
        "func \(name.last) {",
        "  DispatchQueue.main.async { [weak self] in",
        "    self?.\(body)",
        "  }",
        "}",
      ])
  }

  /// A call in the form that a sketch has it: `show(_:)` becomes `show(…)`.
  private static func invocation(_ function: String) -> String {
    guard let open = function.firstIndex(of: "(") else { return function }
    let isEmpty = function[open...].hasPrefix("()")
    return function[..<open] + (isEmpty ? "()" : "(…)")
  }
}
