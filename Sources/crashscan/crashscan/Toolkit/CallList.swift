/// A list of functions that belong to one thread, for a toolkit or any other library.
package struct CallList: Sendable, Equatable {
  /// The kinds of calls that are checked; the values of `ms_toolkit_kind`.
  package enum Kind: UInt16, Sendable {
    /// A function whose calls are all checked.
    case call = 0
    /// A function whose calls are checked if the first argument is an object of the toolkit.
    case callOn = 1
    /// A function whose calls are checked if the first argument is the type of a toolkit object.
    case newOf = 2
    /// A function after which the calling thread may call the toolkit.
    case lock = 3
    /// A function after which the calling thread may no longer call the toolkit.
    case unlock = 4
  }

  /// The rule that selects the owner of the toolkit; the values of `ms_toolkit_owner_rule`.
  package enum Owner: String, Sendable, CaseIterable {
    /// The thread that called first, until that thread ends.
    case first
    /// The thread that called first, and later the owner of GLib's default main context.
    case mainContext = "main-context"

    var number: UInt32 { self == .first ? 0 : 1 }
  }

  package struct Function: Sendable, Equatable {
    package var kind: Kind
    /// The required type of the first argument; empty for any.
    package var type: String
  }

  package var toolkit = ""
  /// The libraries with the functions, by soname.
  package var libraries: [String] = []
  package var owner = Owner.first
  /// The advice for moving a call to the right thread, by language.
  package var fixes: [(language: String, text: String)] = []
  /// The type of the toolkit's objects, and the function that returns an object's name; empty
  /// without such a function.
  package var objects = ""
  package var naming = ""
  package var functions: [String: Function] = [:]

  package static func == (left: Self, right: Self) -> Bool {
    left.toolkit == right.toolkit && left.libraries == right.libraries && left.owner == right.owner
      && left.fixes.elementsEqual(right.fixes, by: ==) && left.objects == right.objects
      && left.naming == right.naming && left.functions == right.functions
  }
}

/// A malformed line of a list.
package struct CallListError: Error, CustomStringConvertible {
  package let description: String
}

extension CallList {
  /// Parses a list. docs/internals/toolkit.md describes the format.
  package init(text: String, path: String) throws(CallListError) {
    self.init()
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      guard !line.hasPrefix("#"), line.contains(where: { $0 != " " }) else { continue }
      guard read(line) else {
        throw CallListError(
          description: "\(path):\(index + 1): not a line of a call list: \(line)")
      }
    }
    if toolkit.isEmpty || libraries.isEmpty || functions.isEmpty {
      throw CallListError(
        description: "\(path): not a call list (expected at least a toolkit, a library and a call)")
    }
  }

  private mutating func read(_ line: Substring) -> Bool {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    guard words.count >= 2 else { return false }
    let rest = line.split(separator: " ", maxSplits: 1)[1]
    switch words[0] {
    case "toolkit": toolkit = String(rest)
    case "library": libraries.append(String(rest))
    case "fix" where words.count == 3: fixes.append((words[1], words[2]))
    case "objects":
      objects = words[1]
      naming = words.count > 2 ? words[2] : ""
    case "owner":
      guard let owner = Owner(rawValue: words[1]) else { return false }
      self.owner = owner
    default:
      guard let kind = Self.kinds[words[0]], Self.isName(words[1]) else { return false }
      functions[words[1]] = Function(kind: kind, type: words.count > 2 ? words[2] : "")
    }
    return true
  }

  private static let kinds: [String: Kind] = [
    "call": .call, "on": .callOn, "new": .newOf, "lock": .lock, "unlock": .unlock,
  ]

  /// True for a C identifier that may be interposed. Functions of the loader and of threads are
  /// excluded, because a process cannot run without them.
  private static func isName(_ name: String) -> Bool {
    let isOfLoader = name.hasPrefix("dl") || name.hasPrefix("_dl") || name.hasPrefix("pthread_")
    return !isOfLoader && !name.utf8.first!.isDigit
      && name.utf8.allSatisfy { $0.isDigit || $0.isLetter || $0 == UInt8(ascii: "_") }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  fileprivate var isLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}
