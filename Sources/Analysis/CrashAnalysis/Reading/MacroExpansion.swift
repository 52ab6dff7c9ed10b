import IncidentModel

/// The generated source file of a macro expansion: `@__swiftmacro_…fMX43_14_6expectfMf_.swift` for
/// `#expect` at line 44, column 15.
struct MacroExpansion {
  /// The line of the macro; nil for an attached macro, whose file name contains no line.
  let line: Int?
  /// The letters, digits and underscores of the name of the file with the macro, `Tswift` for
  /// `T.swift`; followed by an encoding of the other characters.
  private let encodedFile: Substring

  /// - Parameter path: The file of a frame; the result is nil for other files.
  init?(_ path: String?) {
    guard let name = path?.split(separator: "/").last, name.hasPrefix("@__swiftmacro_") else {
      return nil
    }
    guard let mark = name.range(of: "fMX") else {
      (line, encodedFile) = (nil, "")
      return
    }
    encodedFile = name[..<mark.lowerBound]
    // The mangling counts from 0 with an empty number.
    line = Int(name[mark.upperBound...].prefix { $0 != "_" }).map { $0 + 1 }
  }

  /// True if a file may contain the macro, judging by its name.
  private func isIn(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    let letters = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    return !letters.isEmpty && encodedFile.contains(letters)
  }

  /// Hides the functions that macros generated in a stack, and moves closures in the arguments of a macro
  /// to the line of the macro.
  static func hide(in frames: inout [Frame]) {
    for index in frames.indices {
      guard let expansion = MacroExpansion(frames[index].place.file) else { continue }
      let files = frames.lazy.compactMap(\.place.file).filter { MacroExpansion($0) == nil }
      let file = expansion.line == nil ? nil : files.first(where: expansion.isIn)
      frames[index].place.file = file
      frames[index].place.line = file == nil ? nil : expansion.line
      let isGenerated =
        expansion.line == nil
        || frames[index].place.function.hasPrefix("freestanding macro expansion ")
      if isGenerated { frames[index].role = .runtime }
    }
  }
}
