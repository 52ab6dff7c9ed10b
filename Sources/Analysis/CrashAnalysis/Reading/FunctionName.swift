/// A demangled function name, parsed.
struct FunctionName {
  let text: String

  init(_ text: String) { self.text = text }

  /// True for a closure, which other code may call later.
  var isClosure: Bool { text.hasPrefix("closure #") || text.hasPrefix(Self.block) }

  private static let block = "block in "

  /// The function that contains a closure; for other functions, the function itself.
  var written: String {
    var name = Substring(text)
    if name.hasPrefix(Self.block) { name = name.dropFirst(Self.block.count) }
    while name.hasPrefix("closure #") || name.hasPrefix("implicit closure #") {
      guard let place = name.range(of: " in ") else { break }
      name = name[place.upperBound...]
    }
    return String(name)
  }

  /// The function or closure directly around a closure; nil for other functions.
  var parent: String? {
    guard isClosure, let place = text.range(of: " in ") else { return nil }
    return String(text[place.upperBound...])
  }

  /// The type of the function; empty for a free function.
  var type: String {
    let name = written
    if name.hasPrefix("-[") || name.hasPrefix("+[") {
      return String(name.dropFirst(2).prefix { $0 != " " && $0 != "(" })
    }
    let path = beforeArguments(name)
    if let place = path.range(of: "::", backwards: true) {
      return String(path[..<place.lowerBound])
    }
    guard let dot = path.lastIndex(of: ".") else { return "" }
    let type = path[..<dot]
    return String(type.hasPrefix("static ") ? type.dropFirst(7) : type)
  }

  /// The last component of the name, with its argument labels: `show(_:)`.
  var last: String {
    let name = written
    let path = beforeArguments(name)
    let start = path.lastIndex(of: ".").map(path.index(after:)) ?? path.startIndex
    return String(name[start...])
  }

  /// True if the name follows the naming of delegate methods: `request(_:didReceive:)`.
  var soundsLikeDelegate: Bool {
    for word in ["did", "will", "should"] {
      var rest = Substring(last)
      while let place = rest.range(of: word) {
        rest = rest[place.upperBound...]
        if rest.first?.isUppercase == true { return true }
      }
    }
    return false
  }

  private func beforeArguments(_ name: String) -> Substring {
    name.prefix { $0 != "(" && $0 != "<" }
  }
}

extension StringProtocol {
  /// Returns the first or last range of `text`.
  func range(of text: String, backwards: Bool = false) -> Range<Index>? {
    let found = backwards ? ranges(of: text).last : firstRange(of: text)
    return found
  }
}

/// Returns a readable function name that is the same in every build: without `@Sendable` and the
/// optimizer's prefixes, and with a name for top-level code.
package func readableFunction(_ function: String) -> String {
  var name = function.replacing("@Sendable ", with: "")
  for prefix in ["generic specialized ", "specialized "] where name.hasPrefix(prefix) {
    name = String(name.dropFirst(prefix.count))
  }
  // A C library symbol may carry its version: `sleep@@GLIBC_2.2.5`.
  if let at = name.firstIndex(of: "@"), at > name.startIndex, name[at...].contains("GLIBC") {
    name = String(name[..<at])
  }
  return name.hasSuffix(" in ") ? name + "top-level code" : name
}
