/// The facts in a function's demangled name.
struct FunctionName {
  let text: String

  init(_ text: String) { self.text = text }

  /// True for a closure, which other code may call later.
  var isClosure: Bool { text.hasPrefix("closure #") || text.hasPrefix(Self.block) }

  private static let block = "block in "

  /// The function that a closure was written in: itself, if it is none.
  var written: String {
    var name = Substring(text)
    if name.hasPrefix(Self.block) { name = name.dropFirst(Self.block.count) }
    while name.hasPrefix("closure #") || name.hasPrefix("implicit closure #") {
      guard let place = name.range(of: " in ") else { break }
      name = name[place.upperBound...]
    }
    return String(name)
  }

  /// The function directly around a closure; nil if it is none.
  var parent: String? {
    guard isClosure, let place = text.range(of: " in ") else { return nil }
    return String(text[place.upperBound...])
  }

  /// The type that the function belongs to; empty for a free one.
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

  /// The last part of the name, with its argument labels: `show(_:)`.
  var last: String {
    let name = written
    let path = beforeArguments(name)
    let start = path.lastIndex(of: ".").map(path.index(after:)) ?? path.startIndex
    return String(name[start...])
  }

  /// Whether it is named as delegates' methods are: `request(_:didReceive:)`.
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
  /// The first or last range of `text`.
  func range(of text: String, backwards: Bool = false) -> Range<Index>? {
    let found = backwards ? ranges(of: text).last : firstRange(of: text)
    return found
  }
}

/// A function's name as people should read it: code at the top level of a file is in no function, how
/// a function may be passed on is no part of its name, and what the optimizer made of a function is
/// still that function, in every build.
package func readableFunction(_ function: String) -> String {
  var name = function.replacing("@Sendable ", with: "")
  for prefix in ["generic specialized ", "specialized "] where name.hasPrefix(prefix) {
    name = String(name.dropFirst(prefix.count))
  }
  // A symbol of the C library may carry its version: `sleep@@GLIBC_2.2.5`.
  if let at = name.firstIndex(of: "@"), at > name.startIndex, name[at...].contains("GLIBC") {
    name = String(name[..<at])
  }
  return name.hasSuffix(" in ") ? name + "top-level code" : name
}
