import IncidentModel

/// An edit as people read it.
extension Finding.Fix.Edit {
  /// The heading of the edit: the lines that it replaces in a file of this name.
  func heading(_ file: String) -> String {
    lines.first == lines.last
      ? "line \(lines.first) of \(file) becomes"
      : "lines \(lines.first) to \(lines.last) of \(file) become"
  }

  /// Its lines, without the indentation that they share.
  var outdented: [String] {
    let indents = replacement.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
    let shared = indents.min() ?? 0
    return replacement.map { String($0.dropFirst(shared)) }
  }
}
