import IncidentModel

/// Formats an edit for people.
extension Finding.Fix.Edit {
  /// Returns the heading of the edit: the lines that it replaces in a file of this name.
  func heading(_ file: String) -> String {
    lines.first == lines.last
      ? "line \(lines.first) of \(file) becomes"
      : "lines \(lines.first) to \(lines.last) of \(file) become"
  }

  /// The replacement lines, without their common indentation.
  var outdented: [String] {
    let indents = replacement.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
    let shared = indents.min() ?? 0
    return replacement.map { String($0.dropFirst(shared)) }
  }
}
