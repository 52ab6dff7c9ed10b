#if Hummingbird
  internal import Breadcrumbs

  /// A route that was seen, by where its words lie; it holds them, so that no others come to lie there.
  final class SeenRoute: Sendable {
    let words: WordsInMemory
    let crumbs: RouteCrumbs
    private let method: String
    private let template: String

    init(_ words: WordsInMemory, _ method: String, _ template: String, _ crumbs: RouteCrumbs) {
      self.words = words
      self.method = method
      self.template = template
      self.crumbs = crumbs
    }
  }

  /// Two strings as the bits they are, short text or an address and a size: the same bits are the same text, for as
  /// long as somebody holds it.
  struct WordsInMemory: Equatable, Sendable {
    private let method: (UInt64, UInt64)
    private let template: (UInt64, UInt64)

    init(_ method: String, _ template: String) {
      self.method = unsafeBitCast(method, to: (UInt64, UInt64).self)
      self.template = unsafeBitCast(template, to: (UInt64, UInt64).self)
    }

    static func == (one: WordsInMemory, other: WordsInMemory) -> Bool {
      one.method == other.method && one.template == other.template
    }

    /// A number for where to look for them first.
    var place: Int {
      let mixed = (method.0 &* 31 ^ template.0 &* 17 ^ template.1) &* 0x9e37_79b9_7f4a_7c15
      return Int(mixed >> 48)
    }
  }
#endif
