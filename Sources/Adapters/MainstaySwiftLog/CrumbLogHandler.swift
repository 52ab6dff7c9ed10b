#if SwiftLog
  public import Breadcrumbs
  public import Logging

  /// Records a crumb for each log line, so that the last lines before a crash are among the crumbs.
  ///
  ///     LoggingSystem.bootstrap { label in
  ///       MultiplexLogHandler([
  ///         CrumbLogHandler(label: label, recorder: diagnostics.recorder),
  ///         StreamLogHandler.standardError(label: label),
  ///       ])
  ///     }
  ///
  /// The label becomes the category, and the metadata become the data. For the same key, the metadata of a
  /// line override those of the metadata provider, which override those of the logger. Errors have a stack,
  /// like all crumbs of errors. A line below `logLevel` costs one comparison.
  public struct CrumbLogHandler: LogHandler {
    /// The lowest level that is recorded.
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

    /// Creates a handler for a logger.
    ///
    /// - Parameters:
    ///   - label: The logger's label.
    ///   - recorder: The recorder for the crumbs.
    ///   - logLevel: The lowest level that is recorded.
    ///   - metadataKeys: The metadata keys that are recorded; nil for all keys.
    ///   - metadataProvider: The provider of metadata for the context of a line.
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

    /// Records a crumb for a log line.
    public func log(event: LogEvent) {
      guard recorder.isRecording else { return }
      var data = values(of: event)
      if let error = event.error { data.append(("error", .string("\(error)"))) }
      recorder.record(
        event.message.description, level: CrumbLevel(event.level), category: label, values: data,
        from: (event.file, event.line))
    }

    /// Merges the metadata: a value of the line overrides the provider's value, which overrides the logger's
    /// value.
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
