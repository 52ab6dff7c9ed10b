import LogReading
import ReportReading
import Glibc
import IncidentModel

/// An input file, with the name that the user gave; `-` is standard input.
final class InputFile {
  let name: String
  private var opened: Opened?

  init(name: String) { self.name = name }

  /// Passes each event source in the input to `body`, in order.
  func forEachSource(
    _ format: InputFormat?, _ body: (any EventSource) throws -> Void
  ) throws {
    let opened = try open()
    do {
      try forEachSource(at: opened.path, format, body)
    } catch {
      throw opened.flaw ?? error
    }
    if let flaw = opened.flaw { throw flaw }
  }

  private func forEachSource(
    at path: String, _ format: InputFormat?, _ body: (any EventSource) throws -> Void
  ) throws {
    if format == .breadcrumbs || (format == nil && LogReader.recognises(path: path)) {
      return try body(LogReader(path: path, name: name).events())
    }
    do {
      try ReportFile(path: path, name: name, format: format?.report).forEach(body)
    } catch let error as ReportReadingError where error.isOfSomethingElse && format == nil {
      // A log without a header can be recognized only by its chunks, so the whole file must be
      // read.
      guard let log = try? LogReader(path: path, name: name) else { throw error }
      try body(log.events())
    }
  }

  /// A regular file with the input's bytes, which exists as long as this object.
  final class Opened {
    let path: String
    /// The reason why the file does not contain the whole input; nil if it does.
    var flaw: CommandFailure?
    private let file: Int32?

    init(path: String) {
      self.path = path
      file = nil
    }

    /// Takes over an unlinked temporary file.
    init(temporary file: Int32) {
      self.file = file
      path = "/proc/self/fd/\(file)"
    }

    deinit { if let file { close(file) } }
  }

  /// Opens and decompresses the input, once: standard input cannot be read again.
  func open() throws(CommandFailure) -> Opened {
    if let opened { return opened }
    let packed = try openAsItIs()
    let opened = try Self.unpacker(of: packed.path).map { (tool) throws(CommandFailure) in
      try unpacked(packed, by: tool)
    }
    self.opened = opened ?? packed
    return opened ?? packed
  }

  private func openAsItIs() throws(CommandFailure) -> Opened {
    if name == "-" { return try copied(from: STDIN_FILENO, most: Self.largest) }
    var status = stat()
    guard stat(name, &status) == 0 else { throw WholeFile.failure(name, "cannot be opened") }
    switch status.st_mode & S_IFMT {
    case S_IFREG, S_IFDIR: return Opened(path: name)
    default: break
    }
    let stream = Glibc.open(name, O_RDONLY | O_CLOEXEC)
    guard stream >= 0 else { throw WholeFile.failure(name, "cannot be opened") }
    defer { close(stream) }
    return try copied(from: stream, most: Self.largest)
  }

  /// Returns the tool that decompresses a file, from the file's magic number; nil for an
  /// uncompressed file.
  private static func unpacker(of path: String) -> String? {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var magic = [UInt8](repeating: 0, count: 4)
    guard read(file, &magic, 4) == 4 else { return nil }
    if magic.starts(with: [0x1f, 0x8b]) { return "gzip" }
    return switch magic {
    case [0x28, 0xb5, 0x2f, 0xfd]: "zstd"
    case [0x04, 0x22, 0x4d, 0x18]: "lz4"
    case [0xfd, 0x37, 0x7a, 0x58]: "xz"
    default: nil
    }
  }

  private static let largest = 64 << 30

  /// Returns the maximum size of a decompressed file, without blocks of zeros. A log is mostly text
  /// and times, which compress by a factor below 1000.
  private static func mostUnpacked(of packed: Opened) -> Int {
    var status = stat()
    let size = stat(packed.path, &status) == 0 ? Int(status.st_size) : 0
    return min(largest, max(1 << 28, size.multipliedReportingOverflow(by: 1000).partialValue))
  }

  /// Copies a stream to a temporary file.
  ///
  /// - Parameter most: The maximum number of bytes, without blocks of zeros.
  private func copied(from source: Int32, most: Int) throws(CommandFailure) -> Opened {
    let directory = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(directory)/crashscan-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { throw WholeFile.failure(directory, "has no room for a temporary file") }
    unlink(template)
    let opened = Opened(temporary: file)
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    var (size, filled) = (0, 0)
    while true {
      let got = read(source, &piece, piece.count)
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw WholeFile.failure(name, "cannot be read") }
      if got == 0 { break }
      size += got
      // Blocks of zeros become holes in the file.
      let isEmpty = piece.withUnsafeBytes { piece in
        piece[0] == 0 && memcmp(piece.baseAddress!, piece.baseAddress! + 1, got - 1) == 0
      }
      if !isEmpty { filled += got }
      guard size <= Self.largest, filled <= most else {
        throw CommandFailure(message: "\(name): is larger than an input of its kind can be")
      }
      guard isEmpty ? lseek(file, off_t(got), SEEK_CUR) >= 0 : write(file, piece, got) == got else {
        throw WholeFile.failure(name, "cannot be copied to a temporary file")
      }
    }
    guard ftruncate(file, off_t(size)) == 0 else {
      throw WholeFile.failure(name, "cannot be copied to a temporary file")
    }
    return opened
  }

  /// Decompresses a file. The readable part of a damaged or truncated file is kept.
  private func unpacked(_ packed: Opened, by tool: String) throws(CommandFailure) -> Opened {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw WholeFile.failure(name, "cannot be unpacked") }
    defer { close(ends[0]) }
    let child = try spawn(tool, from: packed.path, to: ends)
    let copy = Result { () throws(CommandFailure) in
      try copied(from: ends[0], most: Self.mostUnpacked(of: packed))
    }
    // The decompressor would block forever on a full pipe that is not read.
    if case .failure = copy { kill(child, SIGKILL) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    let opened = try copy.get()
    if status != 0 {
      opened.flaw = CommandFailure(
        message: "\(name): is damaged or truncated: \(tool) could not decompress the whole file")
    }
    return opened
  }

  /// Starts the decompressor and closes the write end of the pipe.
  private func spawn(
    _ tool: String, from path: String, to ends: [Int32]
  ) throws(CommandFailure) -> pid_t {
    defer { close(ends[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, path, O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    for end in ends { posix_spawn_file_actions_addclose(&actions, end) }
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    let arguments: [UnsafeMutablePointer<CChar>?] = [strdup(tool), strdup("-dcq"), nil]
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    let result = posix_spawnp(&child, tool, &actions, nil, arguments, environ)
    guard result == 0 else {
      throw CommandFailure(
        message: "\(name): \(tool) is needed to unpack it: \(String(cString: strerror(result)))")
    }
    return child
  }
}
