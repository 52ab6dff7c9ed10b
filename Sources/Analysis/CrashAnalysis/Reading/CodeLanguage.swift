import IncidentModel

/// The language of a function, as far as fixes and tools depend on the language.
package enum CodeLanguage: Sendable {
  case swift, objectiveC, java, dotNet, python, other

  /// Determines the language of a function.
  ///
  /// - Returns: nil if neither the file nor the name determines the language.
  package init?(_ place: CodePlace) {
    let function = place.function
    if function.contains("-[") || function.contains("+[") {
      self = .objectiveC
    } else if let file = place.file, let dot = file.lastIndex(of: ".") {
      switch file[file.index(after: dot)...] {
      case "swift": self = .swift
      case "m", "mm": self = .objectiveC
      case "kt", "java", "scala", "groovy": self = .java
      case "cs", "vb", "fs": self = .dotNet
      case "py": self = .python
      default: self = .other
      }
    } else if function.contains("::") {
      self = .other
    } else if FunctionName(function).last.hasSuffix(")") {
      self = .swift
    } else {
      return nil
    }
  }

  /// True if a Swift test can call code in this language.
  package var isOfSwift: Bool { self == .swift || self == .objectiveC }

  /// True if lldb can set breakpoints in code in this language.
  package var isNative: Bool { self == .swift || self == .objectiveC || self == .other }
}
