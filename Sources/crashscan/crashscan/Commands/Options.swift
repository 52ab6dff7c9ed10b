import CrashscanOutput
import DeathRecords

/// The format of a log's crumbs, or of its run's death.
enum OutputFormat: String, CaseIterable, Sendable {
  case text, json, sentry
  case death, otlp
  case sentryEnvelope = "sentry-envelope"

  /// The format of a death record; nil for formats of crumbs.
  var ofDeath: DeathFormat? {
    switch self {
    case .text, .json, .sentry: nil
    case .death: .json
    case .otlp: .openTelemetry
    case .sentryEnvelope: .sentry
    }
  }
}

// Options that several commands share.
extension Option where Value == String {
  static let symbols = Option(
    "symbols", takes: "PATH", "a directory or a file", completion: .file, isRepeatable: true,
    summary: "Also look for programs, debug files and bundles of symbols in PATH",
    discussion: """
      PATH is a file, a directory with such files under any names, or a directory organized by build \
      id (.build-id, or the layout of debuginfod). crashscan symbols writes bundles. Only files of \
      the same build as the process are used; crashscan downloads no files.
      """,
    read: { $0 })
}

extension Option where Value == Bool {
  static let noColor = Option(
    flag: "no-color", summary: "Use no colours, even on a terminal",
    discussion: "The environment variable NO_COLOR does the same.")
  static let verbose = Option(
    flag: "verbose", summary: "Show everything",
    discussion: """
      Also show the recorder's own frames, offsets of frames, serial numbers of queues, numbers of \
      crumbs, every unreadable range, and the recorder's diagnostics.
      """)
}
