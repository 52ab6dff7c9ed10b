#if SwiftLog
  public import Breadcrumbs
  public import Logging

  /// Leaves a crumb for each log line, so that the last lines before a death stand among the crumbs.
  ///
  ///     LoggingSystem.bootstrap { label in
  ///       MultiplexLogHandler([
  ///         CrumbLogHandler(label: label, recorder: diagnostics.recorder),
  ///         StreamLogHandler.standardError(label: label),
  ///       ])
  ///     }
  ///
  /// The label is the category, and metadata are the data: the line's own before those of the metadata provider, and
  /// these before the logger's. Errors have a stack, as all crumbs of errors do. Lines below `logLevel` cost a comparison.
  public struct CrumbLogHandler: LogHandler {
    /// Lines below it leave no crumb.
    public var logLevel: Logger.Level
    /// The metadata of every line of this logger.
    public var metadata: Logger.Metadata {
      get { own.all }
      set { own = OwnMetadata(newValue) }
    }
    /// The provider of metadata for the context of a line, such as trace and span ids.
    public var metadataProvider: Logger.MetadataProvider?

    private var own = OwnMetadata.none
    private let label: String
    private let recorder: BreadcrumbRecorder
    private let keys: Set<String>?

    /// A handler for a logger.
    ///
    /// - Parameters:
    ///   - label: The logger's label.
    ///   - recorder: Takes the crumbs.
    ///   - logLevel: Lines below it leave none.
    ///   - metadataKeys: The keys of metadata that crumbs have; nil for all.
    ///   - metadataProvider: Gives what every line has where it is logged.
    public init(
      label: String, recorder: BreadcrumbRecorder, logLevel: Logger.Level = .info,
      metadataKeys: Set<String>? = nil, metadataProvider: Logger.MetadataProvider? = nil
    ) {
      self.label = label
      self.recorder = recorder
      self.logLevel = logLevel
      keys = metadataKeys
      self.metadataProvider = metadataProvider
    }

    /// A value of the metadata of this logger.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { own[key] }
      set { own[key] = newValue }
    }

    /// Leaves the crumb.
    public func log(event: LogEvent) {
      guard recorder.isRecording else { return }
      var data = values(of: event)
      if let error = event.error { data.append(("error", .string("\(error)"))) }
      recorder.record(
        event.message.description, level: CrumbLevel(event.level), category: label, values: data,
        from: (event.file, event.line))
    }

    /// Of one key, the line's own value counts before the provider's, and that before the logger's.
    private func values(of event: LogEvent) -> [(key: String, value: CrumbValue)] {
      if case .none = own, metadataProvider == nil, event.metadata?.count ?? 0 < 2 {
        guard let one = event.metadata?.first, keys?.contains(one.key) != false else { return [] }
        return [plain(one.key, one.value)]
      }
      var all = own.all
      if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
      if let ofLine = event.metadata { all.merge(ofLine) { $1 } }
      if let keys { all = all.filter { keys.contains($0.key) } }
      return all.sorted { $0.key < $1.key }.map(plain)
    }

    private func plain(_ key: String, _ value: Logger.MetadataValue) -> (
      key: String, value: CrumbValue
    ) {
      if case .string(let text) = value { return (key, .string(text)) }
      return (key, .string("\(value)"))
    }
  }

  extension CrumbLevel {
    fileprivate init(_ level: Logger.Level) {
      self =
        switch level {
        case .trace, .debug: .debug
        case .info: .info
        case .notice: .notice
        case .warning: .warning
        case .error: .error
        case .critical: .fatal
        }
    }
  }
#endif
