internal import CRecorder
import Glibc

/// The error when a log cannot be opened.
public struct RecordingError: Error, Sendable {
  /// A code for the failure.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    /// The capacity cannot hold a log.
    public static let capacityTooSmall = Code(description: "capacityTooSmall")
    /// The capacity is more than a log can use.
    public static let capacityTooLarge = Code(description: "capacityTooLarge")
    /// The directory is missing or cannot be opened.
    public static let noDirectory = Code(description: "noDirectory")
    /// The path is a link, a directory or a device.
    public static let notARegularFile = Code(description: "notARegularFile")
    /// The path is a file other than a log; the file was not changed.
    public static let notALog = Code(description: "notALog")
    /// Another recorder writes to this log.
    public static let inUse = Code(description: "inUse")
    /// The file cannot be created.
    public static let cannotCreate = Code(description: "cannotCreate")
    /// The disk has not enough space, or a quota or limit was reached.
    public static let noSpace = Code(description: "noSpace")
    /// The process has not enough memory to map the log.
    public static let noMemory = Code(description: "noMemory")
    /// The log of an earlier run cannot be renamed.
    public static let cannotKeepEarlier = Code(description: "cannotKeepEarlier")
    /// The process has the maximum number of logs open.
    public static let tooManyLogs = Code(description: "tooManyLogs")
  }

  /// The code of the failure.
  public let code: Code
  /// The path of the log.
  public let path: String
  /// The system's error number; nil if no system call failed.
  public let errorNumber: Int32?
  /// A description of the failure and its remedy.
  public let explanation: String

  init(_ failure: ms_log_failure, path: String) {
    self.path = path
    errorNumber = failure.error_number == 0 ? nil : failure.error_number
    (code, explanation) = Self.reading(failure)
  }

  private static func reading(_ failure: ms_log_failure) -> (Code, String) {
    switch failure.result {
    case MS_OPEN_CAPACITY_TOO_SMALL:
      (.capacityTooSmall, "the smallest capacity is \(failure.detail) bytes")
    case MS_OPEN_CAPACITY_TOO_LARGE:
      (.capacityTooLarge, "the largest capacity is \(failure.detail) bytes")
    case MS_OPEN_NO_DIRECTORY: (.noDirectory, "the directory of the log cannot be opened")
    case MS_OPEN_NOT_REGULAR:
      (.notARegularFile, "the path is not a regular file")
    case MS_OPEN_NOT_A_LOG:
      (.notALog, "the file is not a breadcrumb log and was not changed; choose another path")
    case MS_OPEN_IN_USE: (.inUse, inUse(by: failure.detail))
    case MS_OPEN_CANNOT_CREATE: (.cannotCreate, "the file cannot be created")
    case MS_OPEN_CANNOT_RESERVE: (.noSpace, "there is not enough disk space")
    case MS_OPEN_CANNOT_KEEP: (.cannotKeepEarlier, "the earlier log cannot be renamed")
    case MS_OPEN_TOO_MANY: (.tooManyLogs, "this process has too many logs open")
    default: (.noMemory, "there is not enough memory to map the log")
    }
  }

  private static func inUse(by process: UInt64) -> String {
    let writer = process == 0 ? "another recorder" : "process \(process)"
    return "\(writer) is writing to this log; put {pid} in the path to give each process its own"
  }
}

extension RecordingError: CustomStringConvertible {
  /// The error in one line.
  public var description: String {
    let reason = errorNumber.map { ": \(String(cString: strerror($0)))" } ?? ""
    return "cannot record to \(path): \(explanation)\(reason)"
  }
}
