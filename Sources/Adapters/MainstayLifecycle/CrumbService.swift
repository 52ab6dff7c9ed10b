#if Lifecycle
  public import Breadcrumbs
  internal import Dispatch
  internal import CLogFormat
  public import ServiceLifecycle

  /// A service that records a crumb at its start, at a request to shut down, and at its end, so that a report
  /// of a hanging shutdown names the services that still run.
  ///
  ///     ServiceGroup(services: [
  ///       RecorderService(diagnostics.recorder),
  ///       CrumbService(server, "server", recorder: diagnostics.recorder),
  ///     ], …)
  ///
  /// The initializer adds `AutomaticEvents.waitedSignals` to the recorder, because a `ServiceGroup` receives its
  /// signals by a `DispatchSource`.
  public struct CrumbService: Service {
    private let service: any Service
    private let name: String
    private let recorder: BreadcrumbRecorder

    /// Creates a service that wraps `service`.
    ///
    /// - Parameters:
    ///   - service: The service to run.
    ///   - name: The name in reports; the service's type by default.
    ///   - recorder: The recorder for the crumbs.
    public init(
      _ service: any Service, _ name: String? = nil, recorder: BreadcrumbRecorder
    ) {
      self.service = service
      self.name = name ?? "\(type(of: service))"
      self.recorder = recorder
      recorder.recordWaitedSignals()
    }

    /// Runs the wrapped service.
    public func run() async throws {
      leave(MS_WORD_SERVICE_BEGINS, adding: (MS_KEY_TYPE, "\(type(of: service))"))
      let shutdown = ServiceShutdown()
      defer { shutdown.end() }
      do {
        try await withTaskCancellationHandler {
          try await withGracefulShutdownHandler {
            try await withCrumbs([MS_KEY_SERVICE: .string(name)]) { try await service.run() }
          } onGracefulShutdown: {
            shutdown.begin()
            leave(MS_WORD_SERVICE_IS_ASKED_TO_END)
          }
        } onCancel: {
          shutdown.begin()
          leave(MS_WORD_SERVICE_IS_CANCELLED)
        }
        leave(MS_WORD_SERVICE_ENDS)
      } catch {
        let level: CrumbLevel = error is CancellationError ? .info : .warning
        leave(MS_WORD_SERVICE_ENDS, level, adding: ("error", "\(type(of: error))"))
        throw error
      }
    }

    private func leave(
      _ message: String, _ level: CrumbLevel = .info,
      adding more: (key: String, text: String)? = nil
    ) {
      var values: [(key: String, value: CrumbValue)] = [(MS_KEY_SERVICE, .string(name))]
      if let more { values.append((more.key, .string(more.text))) }
      recorder.record(
        message, level: level, category: MS_WORD_SERVICE, values: values)
    }
  }

  /// Closes the recorder after all other services have ended: the first service of a group is shut down last.
  public struct RecorderService: Service {
    private let recorder: BreadcrumbRecorder

    /// Creates the service.
    ///
    /// - Parameter recorder: The recorder to close.
    public init(_ recorder: BreadcrumbRecorder) { self.recorder = recorder }

    /// Waits for the shutdown of this service, and closes the recorder.
    public func run() async throws {
      try? await gracefulShutdown()
      // Closing waits for a thread of the recorder, and must not block a thread of Swift's pool.
      await withCheckedContinuation { isClosed in
        DispatchQueue.global().async {
          recorder.close()
          isClosed.resume()
        }
      }
    }
  }
#endif
