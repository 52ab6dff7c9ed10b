import LogReading
import ReportReading
import Glibc
import IncidentModel

/// An input file, with the name that the user gave; `-` is standard input.
final class InputFile {
  let name: String
  private let unpackedLimit: Int
  private let progress = ProgressLine()
  private var opened: Opened?

  /// - Parameter unpackedLimit: The maximum number of bytes to decompress.
  init(name: String, unpackedLimit: Int = InputFile.defaultUnpackedLimit) {
    self.name = name
    self.unpackedLimit = unpackedLimit
  }

  /// The input of a command with one operand.
  convenience init(_ invocation: Invocation) {
    self.init(
      name: invocation.operands[0],
      unpackedLimit: invocation[.maxUnpacked] ?? Self.defaultUnpackedLimit)
  }

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
    if name == "-" { return try copiedStream(STDIN_FILENO) }
    var status = stat()
    guard stat(name, &status) == 0 else { throw WholeFile.failure(name, "cannot be opened") }
    switch status.st_mode & S_IFMT {
    case S_IFREG, S_IFDIR: return Opened(path: name)
    case S_IFCHR where status.st_rdev != Self.nullDevice && !isTerminal:
      throw CommandFailure(message: "\(name): is a device, not a log or a report")
    default: break
    }
    let stream = Glibc.open(name, O_RDONLY | O_CLOEXEC)
    guard stream >= 0 else { throw WholeFile.failure(name, "cannot be opened") }
    defer { close(stream) }
    return try copiedStream(stream)
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

  static let defaultUnpackedLimit = 2 << 30
  /// The maximum number of bytes of a stream or a core.
  static let largest = 64 << 30

  private struct Copy {
    let file: Opened
    /// True if the source has more bytes than the limit.
    let isTruncated: Bool
  }

  /// Copies a stream to a temporary file, up to `limit` bytes.
  private func copied(from source: Int32, limit: Int) throws(CommandFailure) -> Copy {
    let directory = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(directory)/crashscan-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else {
      throw WholeFile.failure(
        directory, "no temporary file can be created in this directory (set TMPDIR to another)")
    }
    unlink(template)
    let opened = Opened(temporary: file)
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    var size = 0
    var isTruncated = false
    progress.begin(name)
    defer { progress.end() }
    while true {
      let got = read(source, &piece, piece.count)
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw WholeFile.failure(name, "cannot be read") }
      if got == 0 { break }
      // Blocks of zeros become holes in the file.
      let isEmpty = piece.withUnsafeBytes { piece in
        piece[0] == 0 && memcmp(piece.baseAddress!, piece.baseAddress! + 1, got - 1) == 0
      }
      isTruncated = size + got > limit
      if isTruncated { break }
      size += got
      guard isEmpty ? lseek(file, off_t(got), SEEK_CUR) >= 0 : write(file, piece, got) == got else {
        throw WholeFile.failure(name, "cannot be copied to a temporary file")
      }
      progress.show("\(ByteSize.text(size)) copied")
    }
    guard ftruncate(file, off_t(size)) == 0 else {
      throw WholeFile.failure(name, "cannot be copied to a temporary file")
    }
    return Copy(file: opened, isTruncated: isTruncated)
  }

  /// The device number of `/dev/null`: major 1, minor 3.
  private static let nullDevice = dev_t(0x103)

  private var isTerminal: Bool {
    let file = Glibc.open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    defer { close(file) }
    return isatty(file) == 1
  }

  private func copiedStream(_ stream: Int32) throws(CommandFailure) -> Opened {
    let copy = try copied(from: stream, limit: Self.largest)
    if copy.isTruncated {
      copy.file.flaw = CommandFailure(
        message: "\(name): is longer than \(ByteSize.text(Self.largest)); the rest was not read")
    }
    return copy.file
  }

  /// Decompresses a file. The readable part of a damaged or truncated file is kept.
  private func unpacked(_ packed: Opened, by tool: String) throws(CommandFailure) -> Opened {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw WholeFile.failure(name, "cannot be unpacked") }
    defer { close(ends[0]) }
    let child = try spawn(tool, from: packed.path, to: ends)
    let copy = Result { () throws(CommandFailure) in
      try copied(from: ends[0], limit: unpackedLimit)
    }
    let isWhole = (try? copy.get().isTruncated) == false
    // The decompressor would block forever on a full pipe that is not read.
    if !isWhole { kill(child, SIGKILL) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    let opened = try copy.get().file
    if !isWhole {
      opened.flaw = CommandFailure(
        message: """
          \(name): unpacks to more than \(ByteSize.text(unpackedLimit)); the rest was not read \
          (\(Option.maxUnpacked.entry.flag) sets the limit)
          """)
    } else if status != 0 {
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
        message:
          "\(name): \(tool) cannot be started to unpack the file: \(String(cString: strerror(result))); install \(tool)"
      )
    }
    return child
  }
}
