/// How output is written.
enum OutputFormat: String, CaseIterable, Sendable {
  case text, json, sentry
}

// Options that several commands share.
extension Option where Value == String {
  static let symbols = Option(
    "symbols", takes: "DIR", "a directory", nature: .directory, isRepeatable: true,
    summary: "Also look for binaries and their debug files in DIR",
    discussion: """
      Files are looked for by name, and by build id below DIR/.build-id. Only files of the very \
      build that ran are used, and nothing is fetched.
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
      Also the recorder's own frames, offsets of frames, serial numbers of queues, numbers of \
      crumbs, every part that could not be read, and what the recorder noted of its workings.
      """)
}
