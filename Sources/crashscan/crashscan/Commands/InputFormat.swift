import ReportReading

/// A format that the user specifies, in place of detection by content.
struct InputFormat: Hashable, Sendable {
  /// The report format; nil for a breadcrumb log.
  let report: ForeignFormat?

  static let breadcrumbs = InputFormat(report: nil)

  private static let breadcrumbsName = "breadcrumbs"

  static let names = [breadcrumbsName] + ForeignFormat.allCases.map(\.rawValue)

  var name: String { report?.rawValue ?? Self.breadcrumbsName }

  private init(report: ForeignFormat?) { self.report = report }

  init?(_ name: String) {
    if name == Self.breadcrumbsName {
      report = nil
    } else {
      guard let format = ForeignFormat(rawValue: name) else { return nil }
      report = format
    }
  }
}

extension Option where Value == InputFormat {
  static let input = Option(
    "input", takes: "FORMAT", "one of \(InputFormat.names.joined(separator: ", "))",
    completion: .choice(InputFormat.names), summary: "Read the input as FORMAT, without guessing",
    discussion: "By default the format is recognized by content.",
    read: { InputFormat($0) })
}
