#if Lifecycle
  public import Breadcrumbs
  internal import Dispatch
  internal import CLogFormat
  public import ServiceLifecycle

  /// A service that records crumbs when it starts, when it is asked to end, and when it has ended, so that a
  /// report of a shutdown that hangs names the services that still run.
  ///
  ///     ServiceGroup(services: [
  ///       RecorderService(diagnostics.recorder),
  ///       CrumbService(server, "server", recorder: diagnostics.recorder),
  ///     ], …)
  public struct CrumbService: Service {
    private let service: any Service
    private let name: String
    private let recorder: BreadcrumbRecorder

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
    }

    /// Runs the service.
    public func run() async throws {
      leave(MS_WORD_SERVICE_BEGINS, adding: (MS_KEY_TYPE, "\(type(of: service))"))
      do {
        try await withTaskCancellationHandler {
          try await withGracefulShutdownHandler {
            try await withCrumbs([MS_KEY_SERVICE: .string(name)]) { try await service.run() }
          } onGracefulShutdown: {
            leave(MS_WORD_SERVICE_IS_ASKED_TO_END)
          }
        } onCancel: {
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

  /// Closes the recorder after all other services have ended: it is the first of its group, and so the last to
  /// be shut down.
  public struct RecorderService: Service {
    private let recorder: BreadcrumbRecorder

    /// - Parameter recorder: The recorder to close.
    public init(_ recorder: BreadcrumbRecorder) { self.recorder = recorder }

    /// Waits for its turn to end, and closes the recorder.
    public func run() async throws {
      try? await gracefulShutdown()
      // It waits for a thread of the recorder's, and so on none of the pool's.
      await withCheckedContinuation { isClosed in
        DispatchQueue.global().async {
          recorder.close()
          isClosed.resume()
        }
      }
    }
  }
#endif
