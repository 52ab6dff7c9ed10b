internal import DeathRecords

/// The death of an earlier run, in the format of another tool.
public struct DeathReport: Sendable {
  /// A format that other tools read.
  public struct Format: Sendable, Hashable {
    let form: DeathFormat
    let fileExtension: String

    /// One line of JSON, `crashscan-death/1`.
    public static let json = Format(form: .json, fileExtension: "json")
    /// OpenTelemetry's event `app.crash`: an OTLP/JSON request with logs, for the path `/v1/logs`.
    public static let openTelemetry = Format(form: .openTelemetry, fileExtension: "otlp.json")
    /// A Sentry envelope with one event.
    public static let sentryEnvelope = Format(form: .sentry, fileExtension: "envelope")
  }

  /// The unique identifier of the death, by which duplicates are recognized: 32 hexadecimal digits.
  public let id: String
  /// The kind of death, such as `fatal-error` or `killed-for-memory`.
  public let kind: String
  /// The cause and the place of the death, in a line.
  public let title: String
  /// The report itself, in the requested format, as UTF-8.
  public let contents: [UInt8]
  private let record: DeathRecord

  /// Returns the death in another format.
  public func encoded(as format: Format) -> [UInt8] { Array(record.written(as: format.form).utf8) }

  init(_ record: DeathRecord, as format: DeathFormat) {
    self.record = record
    id = record.id
    kind = record.words.kind
    title = record.title
    contents = Array(record.written(as: format).utf8)
  }
}
