import Synchronization

internal import CTestProcess

/// A symbolicator of this process's stacks and reader of its children's logs.
///
/// `CrashTesting` installs the reader in tests that link the library. Other tests get stacks
/// without files and lines, and the logs of children are not read, because the analysis code and
/// libdw are not linked.
package protocol CrashReader: Sendable {
  /// Returns the functions on a stack of this process that have a file and a line, innermost first.
  func frames(_ stack: [UInt]) -> [StackFrame]

  /// Returns `crashscan`'s report on a log.
  func report(ofLog path: String) throws -> LogReport
}

/// A symbolicated function on a stack.
package struct StackFrame: Sendable {
  let function: String
  let mangledName: String
  /// The path of the source file; nil if only symbol tables are available.
  let file: String?
  let line: Int?

  package init(function: String, mangledName: String, file: String?, line: Int?) {
    self.function = function
    self.mangledName = mangledName
    self.file = file
    self.line = line
  }
}

/// The report of `crashscan` on the log of a child.
package struct LogReport: Sendable {
  package struct Finding: Sendable {
    package let rule: String
    package let culprit: String?
    package let isNote: Bool

    package init(rule: String, culprit: String?, isNote: Bool) {
      self.rule = rule
      self.culprit = culprit
      self.isNote = isNote
    }
  }

  /// The text of the report, as `crashscan` prints it.
  package let text: String
  /// The findings, the most severe first.
  package let findings: [Finding]

  package init(text: String, findings: [Finding]) {
    self.text = text
    self.findings = findings
  }
}

/// The crash reader of this process.
package enum CrashReaders {
  private static let installed = Mutex<(any CrashReader)?>(nil)

  /// Installs the reader. `ms_load_crash_reader` calls this function once.
  package static func install(_ reader: any CrashReader) { installed.withLock { $0 = reader } }

  /// The reader; nil if the process does not link `CrashTesting`.
  static let current: (any CrashReader)? = {
    ms_load_crash_reader()
    return installed.withLock { $0 }
  }()
}
