import Glibc
import ProcessReading

/// A process that runs tests, announced by the preloaded library.
struct TestProcess {
  let id: pid_t
  /// The command line and the environment.
  let launch: TestLaunch
  let library: TestLibrary

  /// The tests that the library has listed or started, in that order.
  private(set) var tests: [TestName] = []
  /// The tests that have started and have not ended.
  private(set) var running: [TestName] = []
  private(set) var hasEndedRun = false
  /// True if a test has ended.
  private(set) var hasResults = false
  /// The time of the last event, in seconds of the monotonic clock.
  var lastSign: Double
  /// The time of the last examination since the last event, with the places of threads and tasks at
  /// that time; nil if the process was not examined.
  var lastLook: (time: Double, places: [String])?
  /// The processor time in clock ticks, after half of the timeout without an event; nil before
  /// that.
  var ticksAtSign: UInt64?
  /// True if the user was informed that the process is silent.
  var saidSilence = false

  private var seen: Set<TestName> = []
  private var file: TailedFile
  private var stream = EventStream()
  private var lines = XCTestLines()

  init?(id: pid_t, directory: String, now: Double) {
    let path = "\(directory)/\(id)"
    guard let launch = TestLaunch(path: "\(path).begun") else { return nil }
    self.id = id
    self.launch = launch
    library = launch.library
    let stream = launch.eventStream ?? "\(path).events"
    let isAbsolute = stream.hasPrefix("/")
    file = TailedFile(
      path: library == .xcTest
        ? "\(path).lines" : isAbsolute ? stream : "\(launch.directory)/\(stream)")
    lastSign = now
  }

  var shown: String {
    "\(launch.executable.split(separator: "/").last.map(String.init) ?? ""), process \(id)"
  }

  /// Reads the new events, and passes each to `body` with its time.
  mutating func read(now: Double, _ body: (TestEvent, Double) -> Void) {
    var bytes = file.next()[...]
    switch library {
    case .swiftTesting:
      while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        let line = bytes[..<end]
        bytes = bytes[(end + 1)...]
        if let (event, time) = stream.event(in: line) {
          take(event, now)
          body(event, min(time ?? now, now))
        }
      }
    case .xcTest:
      while let (text, time) = XCTestLines.takeEntry(from: &bytes) {
        let event = lines.event(in: text)
        take(event, now)
        body(event, min(time ?? now, now))
      }
    }
    file.putBack(bytes)
  }

  private mutating func take(_ event: TestEvent, _ now: Double) {
    lastSign = now
    lastLook = nil
    ticksAtSign = nil
    saidSilence = false
    switch event {
    case .listed(let name): add(name)
    case .started(let name):
      add(name)
      running.append(name)
    case .ended(let name, _):
      running.removeAll { $0 == name }
      hasResults = true
    case .runEnded: hasEndedRun = true
    case .failed, .progressed: break
    }
  }

  private mutating func add(_ name: TestName) {
    if seen.insert(name).inserted { tests.append(name) }
  }
}

/// A file to which another process appends.
private struct TailedFile {
  let path: String
  private var rest: [UInt8] = []
  private var offset: off_t = 0

  init(path: String) { self.path = path }

  /// Returns the bytes of the last `putBack`, followed by the bytes that were appended since.
  mutating func next() -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return rest }
    defer { close(file) }
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = pread(file, &piece, piece.count, offset)
      guard count > 0 else { break }
      rest += piece[..<count]
      offset += off_t(count)
    }
    return rest
  }

  mutating func putBack(_ bytes: ArraySlice<UInt8>) { rest = Array(bytes) }
}

/// The command line, working directory and environment of a test process.
package struct TestLaunch: Sendable {
  package var directory: String
  package var executable: String
  package var arguments: [String]
  package var environment: [String]

  package init(
    directory: String, executable: String, arguments: [String], environment: [String]
  ) {
    self.directory = directory
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
  }

  /// Reads the announcement that the preloaded library wrote; nil if it is missing
  /// or malformed.
  init?(path: String) {
    guard let bytes = ProcessFiles.read(path) else { return nil }
    let texts = bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
    guard texts.count >= 3, let count = Int(texts[2]), count >= 0, texts.count >= 3 + count else {
      return nil
    }
    self.init(
      directory: texts[0], executable: texts[1], arguments: Array(texts[3..<3 + count]),
      environment: Array(texts[(3 + count)...]))
  }

  var library: TestLibrary {
    value(of: "--testing-library") == "swift-testing" ? .swiftTesting : .xcTest
  }

  /// The path of the event stream in the arguments; nil if they name none.
  var eventStream: String? { value(of: Self.eventStreamOption) }
  static let eventStreamOption = "--event-stream-output-path"

  private func value(of option: String) -> String? {
    for (place, argument) in arguments.enumerated() {
      if argument == option, place + 1 < arguments.count { return arguments[place + 1] }
      if argument.hasPrefix("\(option)=") { return String(argument.dropFirst(option.count + 1)) }
    }
    return nil
  }
}
