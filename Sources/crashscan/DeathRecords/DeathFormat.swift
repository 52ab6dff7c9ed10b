import TextOutput

/// The format of a death record.
package enum DeathFormat: Sendable, CaseIterable {
  /// One line of JSON, `crashscan-death/1`.
  case json
  /// OpenTelemetry's event `app.crash`, in an OTLP/JSON request for logs.
  case openTelemetry
  /// A Sentry envelope with one event.
  case sentry
}

extension DeathRecord {
  /// Returns the complete record for a network or a file; control characters are escaped.
  package func written(as format: DeathFormat) -> String {
    switch format {
    case .json: json
    case .openTelemetry: openTelemetry
    case .sentry: sentryEnvelope
    }
  }
}
