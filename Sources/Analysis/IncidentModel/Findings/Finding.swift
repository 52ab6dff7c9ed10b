/// The result of a rule.
package struct Finding: Hashable, Sendable, Codable {
  /// The thread that it is about.
  package struct ThreadName: Hashable, Sendable, Codable {
    /// The kernel's id.
    package var id: Int
    /// Counts the input's threads.
    package var index: Int
    package var name: String

    package init(id: Int, index: Int, name: String) {
      self.id = id
      self.index = index
      self.name = name
    }
  }

  /// One fact behind the finding.
  package struct Evidence: Hashable, Sendable, Codable {
    package var text: String
    package var place: CodePlace?
    private var detail: Bool?

    /// - Parameter isDetail: Whether only a reader who asks for everything wants it.
    package init(_ text: String, place: CodePlace? = nil, isDetail: Bool = false) {
      self.text = text
      self.place = place
      detail = isDetail ? true : nil
    }

    /// Whether only a reader who asks for everything wants it.
    package var isDetail: Bool { detail ?? false }
  }

  /// One link of the chain that led there, the first first.
  package struct Step: Hashable, Sendable, Codable {
    package var text: String
    package var thread: String
    package var queue: String?
    package var place: CodePlace?

    package init(_ text: String, thread: String, queue: String?, place: CodePlace? = nil) {
      self.text = text
      self.thread = thread
      self.queue = queue
      self.place = place
    }
  }

  /// The proposed change.
  package struct Fix: Hashable, Sendable, Codable {
    /// Lines of a source file, and what takes their place.
    package struct Edit: Hashable, Sendable, Codable {
      /// Lines, counted from 1, the last included.
      package struct Lines: Hashable, Sendable, Codable {
        package var first: Int
        package var last: Int

        package init(first: Int, last: Int) {
          self.first = first
          self.last = last
        }
      }

      /// The file's path, as the debug information has it.
      package var file: String
      package var lines: Lines
      package var replacement: [String]

      package init(file: String, lines: Lines, replacement: [String]) {
        self.file = file
        self.lines = lines
        self.replacement = replacement
      }
    }

    package var text: String
    /// The edits of the source, to be applied together; empty if the text is the whole fix.
    package var edits: [Edit]

    package init(_ text: String, edits: [Edit] = []) {
      self.text = text
      self.edits = edits
    }
  }

  /// A crumb from around the finding.
  package struct Nearby: Hashable, Sendable, Codable {
    /// Nanoseconds after the finding's own event, negative before it; nil if unknown.
    package var offset: Int64?
    package var thread: Int
    package var queue: String
    package var text: String

    package init(offset: Int64?, thread: Int, queue: String, text: String) {
      self.offset = offset
      self.thread = thread
      self.queue = queue
      self.text = text
    }
  }

  /// An affinity that code in another program can have too: a queue or an actor of its own.
  package struct Home: Hashable, Sendable, Codable {
    package enum Kind: String, Sendable, Codable {
      case main, queue, actor
    }

    package var kind: Kind
    /// The queue's label, the actor's name; empty for the main queue.
    package var name: String

    package init(_ kind: Kind, name: String = "") {
      self.kind = kind
      self.name = name
    }
  }

  package var rule: String
  package var severity: Severity
  /// One line that a person can act on.
  package var title: String
  package var input: String
  /// The recording, and within it the process.
  package var incident: String
  package var thread: ThreadName?
  package var queue: String?
  /// The work that was touched, by the name its author gave it.
  package var api: String?
  /// The affinity of the work; nil if no affinity was broken, or if only a thread is known.
  package var home: Home?
  /// The frame to open first.
  package var culprit: CodePlace?
  /// The call off the main thread that directly led to the crash; nil if other calls may have led to it.
  package var call: CodePlace?
  package var evidence: [Evidence] = []
  package var cause: [Step] = []
  package var nearby: [Nearby] = []
  package var fix: Fix
  /// Nanoseconds since 1970.
  package var wall: UInt64
  /// The part of the identity beside the rule and the culprit.
  package var identity: String
  /// An id that findings of one defect share, whatever the rule.
  package var defect: String
  /// Cause, effects and end, in order; nil if the finding is not about the end of a run, and in summaries of
  /// earlier versions.
  package var chain: [ChainLink]?
  /// Other causes that were examined, with the reasons against them; nil as above.
  package var alternatives: [Alternative]?
  /// The findings of other rules about the same cause.
  package var merged: [Merged]?
  private var lasts: Bool?

  /// True if the condition still lasted when the recording ended.
  package var lastsToEnd: Bool {
    get { lasts ?? false }
    set { lasts = newValue ? true : nil }
  }

  package init(
    rule: String, severity: Severity, title: String, culprit: CodePlace?, api: String?,
    fix: Fix, identity: String, defect: String
  ) {
    self.rule = rule
    self.severity = severity
    self.title = title
    self.culprit = culprit
    self.api = api
    self.fix = fix
    self.identity = identity
    self.defect = defect
    input = ""
    incident = ""
    wall = 0
  }
}

/// How much a finding matters.
package enum Severity: String, Sendable, Codable, CaseIterable, Comparable {
  case note, warning, error

  package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}

/// A place in source code, as far as it is known.
package struct CodePlace: Hashable, Sendable, Codable {
  package var function: String
  /// The file or module that holds the function.
  package var module: String
  package var file: String?
  package var line: Int?
  /// The line itself, where its file was at hand.
  package var source: String?
  /// The declaration of the function around the line, where its file was at hand.
  package var header: String?
  /// The function that the line is written in, where that is another: debug information may give the lines of a function
  /// that became part of its caller to the caller. It is no part of a fingerprint, which must not need the source.
  package var written: String?

  /// The name of the function as people write it.
  package var name: String { written ?? function }

  package init(function: String, module: String, file: String? = nil, line: Int? = nil) {
    self.function = function
    self.module = module
    self.file = file
    self.line = line
  }

  /// `File.swift:12`, without directories; nil without a known file.
  package var shortPosition: String? {
    guard let file else { return nil }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return line.map { "\(name):\($0)" } ?? name
  }
}
