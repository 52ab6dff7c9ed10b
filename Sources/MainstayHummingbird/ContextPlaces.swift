#if Hummingbird
  internal import Hummingbird
  internal import Logging
  @_spi(Reflection) internal import Swift

  /// Where a context has its route and its logger, to read them where they lie: who asks the context for one of them is
  /// given a copy of all that Hummingbird keeps in it.
  struct ContextPlaces<Context: RequestContext>: Sendable {
    /// Offsets in a context; nil where it does not simply store them, and then it is asked.
    private let offsets: (endpoint: Int, logger: Int)?

    init() {
      offsets = offset(of: "coreContext", CoreRequestContextStorage.self, in: Context.self)
        .flatMap { core in
          guard
            let endpoint = offset(
              of: "endpointPath", EndpointPath.self, in: CoreRequestContextStorage.self),
            let logger = offset(of: "logger", Logger.self, in: CoreRequestContextStorage.self)
          else { return nil }
          return (core + endpoint, core + logger)
        }
    }

    /// Its route and its logger.
    @inline(__always)
    func parts(of context: Context) -> (route: EndpointPath, logger: Logger) {
      guard let offsets else { return (context.coreContext.endpointPath, context.logger) }
      return withUnsafePointer(to: context) {
        let start = UnsafeRawPointer($0)
        return (
          start.load(fromByteOffset: offsets.endpoint, as: EndpointPath.self),
          start.load(fromByteOffset: offsets.logger, as: Logger.self)
        )
      }
    }
  }

  /// Where a structure stores a property; nil where it has none of this name and type.
  private func offset(of name: String, _ type: Any.Type, in structure: Any.Type) -> Int? {
    var found: Int?
    _ = _forEachField(of: structure) { field, offset, fieldType, _ in
      if String(cString: field) == name, fieldType == type { found = offset }
      return found == nil
    }
    return found
  }
#endif
