#if Hummingbird
  internal import Hummingbird

  /// Where an `EndpointPath` has its text, to look at it without its lock, which nobody contends for: the router writes it
  /// before it calls what looks.
  struct TemplatePlace: Sendable {
    /// Nil where examples are not found there.
    static let found = TemplatePlace().flatMap { $0.findsExamples ? $0 : nil }

    /// In the object that a path is.
    private let offset: Int

    private init?() {
      guard MemoryLayout<EndpointPath>.size == MemoryLayout<UInt>.size,
        let box = StoredProperty(of: EndpointPath.self, "_value")?.type,
        let storage = StoredProperty(of: box, "_storage")?.type as? AnyClass,
        let text = StoredProperty(of: storage, "header", as: String?.self)
      else { return nil }
      offset = text.offset
    }

    private var findsExamples: Bool {
      let path = EndpointPath()
      return [nil, "/", "/stock/{item}/which/is/longer/than/a/short/text", nil].allSatisfy { text in
        path.value = text
        return withUnsafePointer(to: path) { self.text(in: $0) } == text.map(TextInMemory.init)
      }
    }

    /// Nil where there is none.
    @inline(__always)
    func text(in path: UnsafeRawPointer) -> TextInMemory? {
      let object = path.load(as: UnsafeRawPointer.self)
      let text = object.load(fromByteOffset: offset, as: TextInMemory.self)
      return text.isText ? text : nil
    }
  }
#endif
