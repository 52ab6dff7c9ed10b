import LogReading
import CRecorder
import Glibc
import IncidentModel
import Testing

/// A directory of one test's own, gone when the test is.
final class Scratch: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/mainstay-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure("no directory: \(errno)") }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  deinit { Self.remove(path) }

  /// Where a test's log stands.
  var log: String { path + "/breadcrumbs.log" }

  /// What the directory holds, hidden files too.
  var names: [String] { Self.names(path) }

  /// What the log, or another one, tells.
  func incident(_ name: String = "breadcrumbs.log") throws -> Incident {
    try LogReader(path: path + "/" + name).read()
  }

  /// The log's bytes.
  func bytes(_ name: String = "breadcrumbs.log") throws -> [UInt8] {
    guard let file = fopen(path + "/" + name, "r") else { throw Failure("cannot open \(name)") }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: ftell(file))
    rewind(file)
    guard fread(&bytes, 1, bytes.count, file) == bytes.count else {
      throw Failure("cannot read \(name)")
    }
    return bytes
  }

  /// The log, opened as the recorder does.
  func openLog() throws -> OpaquePointer {
    var options = ms_log_options()
    var failure = ms_log_failure()
    options.capacity = 256 << 10
    let opened = log.withCString { path in
      options.path = path
      return ms_log_open(&options, &failure)
    }
    return try #require(opened)
  }

  func write(_ text: String, to name: String) throws {
    guard let file = fopen(path + "/" + name, "w") else { throw Failure("cannot write \(name)") }
    fputs(text, file)
    fclose(file)
  }

  private static func names(_ path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private static func remove(_ path: String) {
    for name in names(path) {
      let inner = path + "/" + name
      if unlink(inner) != 0 { remove(inner) }
    }
    rmdir(path)
  }
}

/// Why a test cannot go on.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

extension Incident {
  /// The messages of all crumbs, in the order of time, but for what the machine says meanwhile: others may
  /// use up its memory.
  var messages: [String] {
    crumbs.map(\.message).filter { $0 != "did receive memory warning" }
  }

  /// The crumbs of one kind.
  func crumbs(of kind: CrumbKind) -> [Crumb] { crumbs.filter { $0.kind == kind } }
}
