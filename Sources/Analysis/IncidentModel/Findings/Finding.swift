/// The result of a rule.
package struct Finding: Hashable, Sendable, Codable {
  /// The thread that the finding is about.
  package struct ThreadName: Hashable, Sendable, Codable {
    /// The kernel id of the thread.
    package var id: Int
    /// The thread's ordinal in the input.
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

    /// - Parameter isDetail: true if only verbose output shows the fact.
    package init(_ text: String, place: CodePlace? = nil, isDetail: Bool = false) {
      self.text = text
      self.place = place
      detail = isDetail ? true : nil
    }

    /// True if only verbose output shows the fact.
    package var isDetail: Bool { detail ?? false }
  }

  /// One step of the sequence that led to the finding, earliest first.
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
    /// Lines of a source file and their replacement.
    package struct Edit: Hashable, Sendable, Codable {
      /// A closed range of lines, counted from 1.
      package struct Lines: Hashable, Sendable, Codable {
        package var first: Int
        package var last: Int

        package init(first: Int, last: Int) {
          self.first = first
          self.last = last
        }
      }

      /// The file's path as in the debug information.
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
    /// The source edits, to be applied together; empty if the fix is only a text.
    package var edits: [Edit]
    /// The text; nil if no fix is known.
    package var known: String? { text.isEmpty ? nil : text }

    package init(_ text: String, edits: [Edit] = []) {
      self.text = text
      self.edits = edits
    }
  }

  /// A crumb recorded near the finding.
  package struct Nearby: Hashable, Sendable, Codable {
    /// The time since the finding's own event in nanoseconds, negative for earlier crumbs; nil if
    /// unknown.
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

  /// An affinity, described so that findings of different programs can be compared.
  package struct Home: Hashable, Sendable, Codable {
    package enum Kind: String, Sendable, Codable {
      case main, queue, actor
    }

    package var kind: Kind
    /// The label of the queue or the name of the actor; empty for the main queue.
    package var name: String

    package init(_ kind: Kind, name: String = "") {
      self.kind = kind
      self.name = name
    }
  }

  package var rule: String
  package var severity: Severity
  /// One line that states the problem.
  package var title: String
  package var input: String
  /// The ids of the recording and of its process.
  package var incident: String
  package var thread: ThreadName?
  package var queue: String?
  /// The name that the program gave the affected work.
  package var api: String?
  /// The affinity of the work; nil if no affinity was broken, or if only a thread is known.
  package var home: Home?
  /// The frame to inspect first.
  package var culprit: CodePlace?
  /// The call off the main thread that directly led to the crash; nil if other calls may have led
  /// to it.
  package var call: CodePlace?
  package var evidence: [Evidence] = []
  package var cause: [Step] = []
  package var nearby: [Nearby] = []
  package var fix: Fix
  /// The wall-clock time in nanoseconds since 1970.
  package var wall: UInt64
  /// The part of the fingerprint besides the rule and the culprit.
  package var identity: String
  /// The key of the defect, such as `continuation load()`; findings of several rules may have the
  /// same key.
  package var defect: String
  /// The cause, the effects and the end, in order; nil if the finding is not about the end of a
  /// run, or if the summary is from an earlier version.
  package var chain: [ChainLink]?
  /// The other causes that were examined, with the reasons against them; nil in the same cases as
  /// `chain`.
  package var alternatives: [Alternative]?
  /// The id of the crash within one build, which does not depend on symbols; nil if the finding is not
  /// about a crash, if no frame of the program is known, or if the summary is from an earlier version.
  package var buildFingerprint: String?
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

/// The severity of a finding.
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
  /// The file or module that contains the function.
  package var module: String
  package var file: String?
  package var line: Int?
  /// The text of the line, if the source file was available.
  package var source: String?
  /// The declaration of the enclosing function, if the source file was available.
  package var header: String?
  /// The function whose source contains the line, if it differs from `function`: debug information
  /// may attribute an inlined function's lines to its caller. The fingerprint does not include this
  /// name, because the fingerprint must not depend on the source.
  package var written: String?

  /// The function's name as in the source.
  package var name: String { written ?? function }

  package init(function: String, module: String, file: String? = nil, line: Int? = nil) {
    self.function = function
    self.module = module
    self.file = file
    self.line = line
  }

  /// The position as `File.swift:12`, without directories; nil if the file is unknown.
  package var shortPosition: String? {
    guard let file else { return nil }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return line.map { "\(name):\($0)" } ?? name
  }
}
