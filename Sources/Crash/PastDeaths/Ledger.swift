import Glibc

/// The progress of each run's delivery: a file with a line for each step, locked by one process at a time.
/// The last line for a run counts, and malformed lines are ignored.
struct Ledger {
  /// The reason why the file cannot be used.
  struct Problem: Error, CustomStringConvertible {
    var description: String
  }

  /// The progress of the delivery of a run's death.
  enum Step: Hashable {
    /// The number of attempts that did not finish.
    case tried(Int)
    /// The death was delivered, or the run did not die.
    case done

    fileprivate var word: String {
      switch self {
      case .tried(let times): "tried-\(times)"
      case .done: "done"
      }
    }

    fileprivate init?(word: Substring) {
      if word == "done" {
        self = .done
      } else if word.hasPrefix("tried-"), let times = Int(word.dropFirst(6)), times >= 0 {
        self = .tried(times)
      } else {
        return nil
      }
    }
  }

  /// A file descriptor that is closed when its last owner releases it.
  private final class Descriptor {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }
  }

  private let path: String
  private let held: Descriptor
  private var file: Int32 { held.number }
  private var steps: [String: Step] = [:]
  private var size = 0

  private static let largest = 1 << 16

  /// Opens and locks the file; nil if another process holds the lock.
  init?(path: String) throws(Problem) {
    self.path = path
    let opened = open(
      path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard opened >= 0 else { throw Self.problem(path, "cannot be opened") }
    held = Descriptor(opened)
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Problem(description: "\(path): is not a regular file")
    }
    guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
      if errno == EWOULDBLOCK { return nil }
      throw Self.problem(path, "cannot be locked")
    }
    try read()
  }

  /// The number of attempts for a run; `Int.max` if the run is done.
  func tries(_ recording: String) -> Int {
    switch steps[recording] {
    case nil: 0
    case .tried(let times): times
    case .done: .max
    }
  }

  /// Appends a step, which is on disk when this function returns.
  mutating func note(_ recording: String, _ step: Step) throws(Problem) {
    try append("\(recording) \(step.word)\n")
    steps[recording] = step
  }

  /// Removes the entries of recordings that no longer exist, once the file is large.
  mutating func forget(allBut recordings: Set<String>) throws(Problem) {
    guard size > Self.largest / 2 else { return }
    steps = steps.filter { recordings.contains($0.key) }
    let text = steps.map { "\($0.key) \($0.value.word)\n" }.sorted().joined()
    guard ftruncate(file, 0) == 0 else { throw Self.problem(path, "cannot be written") }
    size = 0
    try append(text)
  }

  private mutating func append(_ text: String) throws(Problem) {
    let bytes = Array(text.utf8)
    let written = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    guard written == bytes.count, fdatasync(file) == 0 else {
      throw Self.problem(path, "cannot be written")
    }
    size += bytes.count
  }

  private mutating func read() throws(Problem) {
    var bytes = [UInt8](repeating: 0, count: Self.largest)
    let got = pread(file, &bytes, bytes.count, 0)
    guard got >= 0 else { throw Self.problem(path, "cannot be read") }
    size = got
    let text = String(decoding: bytes[..<got], as: UTF8.self)
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ")
      guard parts.count == 2, let step = Step(word: parts[1]) else { continue }
      steps[String(parts[0])] = step
    }
    // A truncated line must not absorb the next line.
    if got > 0, bytes[got - 1] != UInt8(ascii: "\n") { try append("\n") }
  }

  private static func problem(_ path: String, _ what: String) -> Problem {
    Problem(description: "\(path): \(what): \(String(cString: strerror(errno)))")
  }
}
