#if Hummingbird
  internal import Hummingbird
  internal import Logging

  /// What tells a request, read where it lies.
  struct ContextGlance: Equatable {
    let template: TextInMemory
    /// The number that its id is.
    let id: UInt64
  }

  /// Where a context has its route and its logger, to read them where they lie: who asks for one of them is given a copy of
  /// all that Hummingbird keeps in it.
  final class ContextPlaces: Sendable {
    private typealias Core = CoreRequestContextStorage

    /// Offsets in a context.
    private let endpoint: Int
    private let logger: Int
    private let template: TemplatePlace
    private let id: IDPlace

    /// Nil where it is kept in another way, and has to be asked.
    init?(of contexts: any RequestContext.Type) {
      guard !(contexts is AnyClass), let template = TemplatePlace.found, let id = IDPlace.found,
        let core = StoredProperty(of: contexts, "coreContext", as: Core.self),
        let endpoint = StoredProperty(of: Core.self, "endpointPath", as: EndpointPath.self),
        let logger = StoredProperty(of: Core.self, "logger", as: Logger.self)
      else { return nil }
      self.endpoint = core.offset + endpoint.offset
      self.logger = core.offset + logger.offset
      self.template = template
      self.id = id
    }

    /// Nil where there is no route, or the id is no number.
    @inline(__always)
    func glance<Context: RequestContext>(at context: Context) -> ContextGlance? {
      withUnsafePointer(to: context) {
        let context = UnsafeRawPointer($0)
        guard let template = template.text(in: context + endpoint),
          let id = id.number(in: context + logger) ?? number(askedOf: context + logger)
        else { return nil }
        return ContextGlance(template: template, id: id)
      }
    }

    /// What a logger says that keeps its values in another way.
    @inline(never)
    private func number(askedOf logger: UnsafeRawPointer) -> UInt64? {
      logger.load(as: Logger.self)[metadataKey: RequestIDs.key].flatMap(RequestIDs.number)
    }
  }
#endif
