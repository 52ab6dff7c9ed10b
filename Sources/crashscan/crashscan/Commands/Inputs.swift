import LogReading
import ProcessReading
import ReportReading
import Glibc
import IncidentModel
import TextOutput

/// The inputs of an operand: a file, standard input, or the files of a directory and of its
/// subdirectories.
struct Inputs {
  private let operand: String
  private let format: InputFormat?
  private let allowsEmpty: Bool
  private let unpackedLimit: Int
  /// The logs that the recorder kept of earlier runs of the same program.
  let older: [String]

  init(_ operand: String, _ invocation: Invocation) {
    self.operand = operand
    format = invocation[.input]
    allowsEmpty = invocation[.allowEmpty]
    unpackedLimit = invocation[.maxUnpacked] ?? InputFile.defaultUnpackedLimit
    let canHaveOlder = !invocation[.alone] && (format == nil || format == .breadcrumbs)
    older = canHaveOlder ? Self.logs(keptBeside: operand) : []
  }

  /// Passes each event source to `body`, with the name of its input. An unreadable input is
  /// reported to `failed`, and reading continues. In a directory, files that are neither logs nor
  /// reports are skipped.
  func forEachSource(
    _ body: (any EventSource, String) throws -> Void, failed: (String, VisibleText) -> Void
  ) {
    let names: [String]
    let isDirectory = Self.kind(of: operand) == S_IFDIR
    if format == nil, CoreFile.recognises(path: operand) {
      return failed(operand, "\(operand): is a core dump: read it with crashscan core \(operand)")
    }
    do {
      names = isDirectory ? try DirectoryTree(operand).files(failed: failed) : [operand] + older
    } catch {
      return failed(operand, error.message)
    }
    var isAnyKnown = false
    for name in names {
      do {
        try InputFile(name: name, unpackedLimit: unpackedLimit).forEachSource(format) {
          isAnyKnown = true
          try body($0, name)
        }
      } catch let error as ReportReadingError where error.isOfSomethingElse {
        if isDirectory { continue }
        isAnyKnown = true
        nothingKnown(Self.message(of: error, name), failed)
      } catch {
        isAnyKnown = true
        failed(name, Self.message(of: error, name))
      }
    }
    if isAnyKnown { return }
    if isDirectory {
      return nothingKnown("\(operand): contains no logs and no reports", failed)
    }
    // In a console log, the absence of reports is good news. Any other text resembles such a log,
    // so only an explicit option selects the format.
    if format?.report == .console { return }
    nothingKnown(
      "\(operand): is neither a log nor a report in a format that crashscan reads", failed)
  }

  private func nothingKnown(_ message: VisibleText, _ failed: (String, VisibleText) -> Void) {
    if allowsEmpty { tell(message) } else { failed(operand, message) }
  }

  private static func logs(keptBeside path: String) -> [String] {
    guard path != "-", LogReader.recognises(path: path) else { return [] }
    return (try? LogReader(path: path))?.olderLogs ?? []
  }

  static func message(of error: any Error, _ name: String) -> VisibleText {
    switch error {
    case let failure as CommandFailure: failure.message
    case let failure as LogReadingError: "\(failure.description)"
    case let failure as ReportReadingError: "\(failure.description)"
    case let failure as ProcessFailure: "\(failure.description)"
    default: "\(name): \(String(describing: error))"
    }
  }

  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}

extension Option where Value == Bool {
  static let alone = Option(
    flag: "alone", summary: "Read FILE only, without the logs of earlier runs next to it")
  static let allowEmpty = Option(
    flag: "allow-empty", summary: "Accept inputs without a recognized report",
    discussion: """
      Without this option such an input counts as unreadable, and the exit status is 2. --input \
      console also accepts a text without reports.
      """)
}

extension Option where Value == Int {
  static let maxUnpacked = Option(
    "max-unpacked", takes: "SIZE", "a size such as 500M or 4G",
    summary: "Decompress at most SIZE of an input",
    discussion: """
      2G by default, and 64G for a core dump. The part up to the limit is read, and the exit status \
      is 2.
      """,
    read: { ByteSize.bytes($0) })
}

extension Invocation {
  /// Refuses to overwrite an input, which may be the only copy.
  func checkOutput() throws(CommandFailure) {
    var (input, output) = (stat(), stat())
    guard let path = self[.output], stat(path, &output) == 0 else { return }
    for operand in operands where stat(operand, &input) == 0 {
      guard input.st_ino != output.st_ino || input.st_dev != output.st_dev else {
        throw CommandFailure(
          message: "\(path): is an input and would be overwritten", code: .usage)
      }
    }
  }
}
