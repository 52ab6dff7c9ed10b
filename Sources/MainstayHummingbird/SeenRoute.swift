#if Hummingbird
  internal import Breadcrumbs

  /// A route that was seen, by where its words lie; it holds them, so that no others come to lie there.
  final class SeenRoute: Sendable {
    let words: Words
    let crumbs: RouteCrumbs
    private let method: String
    private let template: String

    /// - Parameter words: Those of the method and the template.
    init(_ words: Words, _ method: String, _ template: String, _ crumbs: RouteCrumbs) {
      self.words = words
      self.crumbs = crumbs
      self.method = method
      self.template = template
    }

    struct Words: Equatable, Sendable {
      let method: TextInMemory
      let template: TextInMemory

      init(_ method: String, _ template: TextInMemory) {
        self.method = TextInMemory(method)
        self.template = template
      }

      /// A number for where to look for them first.
      var place: Int {
        Int(((method.mixed &* 17 ^ template.mixed) &* 0x9e37_79b9_7f4a_7c15) >> 48)
      }
    }
  }
#endif
