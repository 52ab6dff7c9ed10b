import BreadcrumbLog
import CrashReports
import Glibc
import IncidentModel
import Reporting

/// What an operand stands for: a file, standard input, or the files of a directory.
struct Inputs {
  private let operand: String
  private let format: InputFormat?

  init(_ operand: String, _ format: InputFormat?) {
    self.operand = operand
    self.format = format
  }

  /// Hands over what the inputs hold, each with the input's name. What cannot be read is told to
  /// `failed`, and the rest goes on; in a directory what is neither log nor report is passed over.
  func forEachSource(
    _ body: (any EventSource, String) throws -> Void, failed: (VisibleText) -> Void
  ) {
    var isAnyKnown = false
    guard isDirectory else {
      do {
        try read(operand) {
          isAnyKnown = true
          try body($0, $1)
        }
        // Of a console that is good news, and any other text by mistake looks like one.
        if !isAnyKnown { tell("\(operand): is no log, and there is no report in it") }
      } catch {
        failed(Self.message(of: error, operand))
      }
      return
    }
    for name in regularFiles() {
      do {
        try read(name) {
          isAnyKnown = true
          try body($0, $1)
        }
      } catch let error as ReportReadingError where error.isOfSomethingElse {
        continue
      } catch {
        isAnyKnown = true
        failed(Self.message(of: error, name))
      }
    }
    if !isAnyKnown { failed("\(operand): has no logs and no reports in it") }
  }

  private func read(
    _ name: String, _ body: (any EventSource, String) throws -> Void
  ) throws {
    try InputFile(name: name).forEachSource(format) { try body($0, name) }
  }

  static func message(of error: any Error, _ name: String) -> VisibleText {
    switch error {
    case let failure as CommandFailure: failure.message
    case let failure as LogReadingError: "\(failure.description)"
    case let failure as ReportReadingError: "\(failure.description)"
    default: "\(name): \(String(describing: error))"
    }
  }

  private var isDirectory: Bool { Self.kind(of: operand) == S_IFDIR }

  /// In the order of their names; hidden ones are left out.
  private func regularFiles() -> [String] {
    guard let handle = opendir(operand) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      names.append(
        withUnsafeBytes(of: entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names.filter { !$0.hasPrefix(".") }.sorted().map { "\(operand)/\($0)" }
      .filter { Self.kind(of: $0) == S_IFREG }
  }

  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}
