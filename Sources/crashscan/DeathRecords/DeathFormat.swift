import TextOutput

/// A form in which a death is handed on.
package enum DeathFormat: Sendable, CaseIterable {
  /// One line of JSON, `crashscan-death/1`.
  case json
  /// OpenTelemetry's event `app.crash`, as OTLP/JSON has a request with logs.
  case openTelemetry
  /// A Sentry envelope with one event.
  case sentry
}

extension DeathRecord {
  /// The whole of it as it goes over a wire or into a file; what steers terminals is escaped.
  package func written(as format: DeathFormat) -> String {
    switch format {
    case .json: json
    case .openTelemetry: openTelemetry
    case .sentry: sentryEnvelope
    }
  }
}
