public import Breadcrumbs
import Foundation

/// A log of a test's own.
public final class TemporaryLog: Sendable {
  /// Where it stands.
  public let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("\(UUID()).log").path

  /// Creates none yet.
  public init() {}

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Opens a recorder on it.
  public func open(
    redact: (@Sendable (inout CrumbDraft) -> Void)? = nil
  ) throws -> BreadcrumbRecorder {
    try BreadcrumbRecorder(path: path, capacity: 1 << 20, automatic: [], redact: redact)
  }

  /// What `crashscan show` tells of it.
  public func crumbs() throws -> [Line] {
    try JSONDecoder().decode(Told.self, from: crashscan("show", path, "--format", "json")).crumbs
  }

  /// What `crashscan` finds in it.
  public func findings() throws -> [FoundFinding] {
    try JSONDecoder().decode(Found.self, from: crashscan(path, "--format", "json")).findings
  }

  /// Whether the text stands in it, be it whole or not.
  public func contains(_ text: String) throws -> Bool {
    try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data(text.utf8)) != nil
  }

  private func crashscan(_ arguments: String...) throws -> Data {
    let tool = Process()
    // It is built already, with the tests of the package itself.
    tool.executableURL = URL(
      fileURLWithPath: ProcessInfo.processInfo.environment["CRASHSCAN"] ?? "crashscan")
    tool.arguments = arguments
    let output = Pipe()
    tool.standardOutput = output
    try tool.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    tool.waitUntilExit()
    return bytes
  }
}

private struct Found: Decodable { let findings: [FoundFinding] }

/// A finding of `crashscan`.
public struct FoundFinding: Decodable, Sendable {
  struct Place: Decodable {
    let file: String?
    let line: Int?
  }
  struct Evidence: Decodable { let text: String }
  /// The rule that found it.
  public let rule: String
  /// What it says.
  public let title: String
  let culprit: Place?
  let evidence: [Evidence]

  /// The file and line to open first.
  public var place: String? {
    guard let file = culprit?.file, let line = culprit?.line else { return nil }
    return "\(file.split(separator: "/").last ?? ""):\(line)"
  }

  /// Whether that is among its evidence.
  public func says(_ text: String) -> Bool { evidence.contains { $0.text.contains(text) } }
}

private struct Told: Decodable { let crumbs: [Line] }

/// A crumb.
public struct Line: Decodable, Sendable {
  struct Datum: Decodable {
    let key: String
    let value: Value
  }
  enum Value: Decodable {
    case text(String)
    case number(Int)
    case other

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let text = try? value.decode(String.self) {
        self = .text(text)
      } else {
        self = (try? value.decode(Int.self)).map(Value.number) ?? .other
      }
    }
  }
  /// A stack.
  public struct Stack: Decodable, Sendable {}
  struct Thread: Decodable { let name: String? }
  /// Its kind.
  public let kind: String
  /// Its category.
  public let category: String
  /// Its level.
  public let level: String
  /// Its message.
  public let message: String
  /// Its stack, where it has one.
  public let stack: Stack?
  let data: [Datum]
  let thread: Thread

  /// The thread that left it; it may have none that is known.
  public var threadName: String { thread.name ?? "" }

  /// A text of its data.
  public func text(_ key: String) -> String? {
    guard case .text(let text)? = data.first(where: { $0.key == key })?.value else { return nil }
    return text
  }

  /// A number of its data.
  public func number(_ key: String) -> Int? {
    guard case .number(let number)? = data.first(where: { $0.key == key })?.value else {
      return nil
    }
    return number
  }
}
