import CProcessTesting
import Foundation

/// The two ends of a way to or from a program.
struct Ends {
  let read: Int32
  let write: Int32

  static func pipe() throws -> Ends { try Ends("pipe2", ms_child_pipe) }
  static func socket() throws -> Ends { try Ends("socketpair", ms_child_socket) }

  private init(_ name: String, _ make: (UnsafeMutablePointer<Int32>?) -> Int32) throws {
    var ends: [Int32] = [0, 0]
    let code = make(&ends)
    guard code == 0 else { throw ChildProcess.NotStarted(program: name, code: code) }
    (read, write) = (ends[0], ends[1])
  }
}

/// How long a program of a test may take. Nothing is measured by it: what hangs is ended, and fails.
let patience: Double = 600

/// Starts a program, and ends it with all that it has forked when patience does, unless that is cancelled.
func start(
  _ command: [String], _ environment: [String: String], in directory: String? = nil,
  input: Int32 = -1, output: Int32, errors: Int32
) throws -> (process: pid_t, deadline: DispatchWorkItem) {
  // Its crash is told by Mainstay, not by a page of Swift's own.
  let variables = ProcessInfo.processInfo.environment
    .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    .merging(environment) { $1 }
  let words = command.map { strdup($0) } + [nil]
  let settings = variables.map { strdup("\($0)=\($1)") } + [nil]
  let place = directory.flatMap { strdup($0) }
  defer { for text in words + settings + [place] { free(text) } }
  var process: pid_t = 0
  let code = words.withUnsafeBufferPointer { words in
    settings.withUnsafeBufferPointer { settings in
      var child = ms_child(
        program: words[0], arguments: words.baseAddress, environment: settings.baseAddress,
        directory: place, input: input, output: output, errors: errors)
      // A child that another test has just forked may still hold a copy of the program open for writing.
      let end = DispatchTime.now() + 60
      while true {
        let code = ms_child_start(&child, &process)
        if code != ETXTBSY || DispatchTime.now() > end { return code }
        sched_yield()
      }
    }
  }
  guard code == 0 else { throw ChildProcess.NotStarted(program: command[0], code: code) }
  let deadline = DispatchWorkItem { [process] in kill(-process, SIGKILL) }
  DispatchQueue.global().asyncAfter(deadline: .now() + patience, execute: deadline)
  return (process, deadline)
}

/// Waits until a child has ended; its status as `waitpid` gives it.
func statusAtEnd(of process: pid_t, _ options: Int32 = 0) -> Int32 {
  var status: Int32 = 0
  while waitpid(process, &status, options) < 0 && errno == EINTR {}
  return status
}

/// What can be read next; nothing at the end.
func readNext(from file: Int32, into buffer: inout [UInt8]) -> ArraySlice<UInt8> {
  while true {
    let count = read(file, &buffer, buffer.count)
    if count >= 0 { return buffer[..<count] }
    if errno != EINTR { return [] }
  }
}
