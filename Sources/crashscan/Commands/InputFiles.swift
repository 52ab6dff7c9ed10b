import BreadcrumbLog
import Glibc
import Reporting

/// A file to analyse, under the name it was given.
struct InputFile {
  let name: String

  /// A regular file with the input's bytes; it lives as long as this does.
  final class Opened {
    let path: String
    private let file: Int32?

    init(path: String) {
      self.path = path
      file = nil
    }

    /// An unlinked file that only this process knows.
    init(temporary file: Int32) {
      self.file = file
      path = "/proc/self/fd/\(file)"
    }

    deinit { if let file { close(file) } }
  }

  func open() throws(CommandFailure) -> Opened {
    if name == "-" { return try copied(from: STDIN_FILENO, most: Self.largest) }
    if name.hasSuffix(".gz") { return try unpacked(by: ["gzip", "-dc", "--", name]) }
    if name.hasSuffix(".zst") { return try unpacked(by: ["zstd", "-dcq", "--", name]) }
    return Opened(path: name)
  }

  private static let largest = 64 << 30

  /// How much may come of a packed file, what is empty of it not counted: a log is mostly text and
  /// times, which no packer makes a thousand times smaller.
  private var mostUnpacked: Int {
    var status = stat()
    let size = stat(name, &status) == 0 ? Int(status.st_size) : 0
    return min(Self.largest, max(1 << 28, size.multipliedReportingOverflow(by: 1000).partialValue))
  }

  /// - Parameter most: how many bytes that are not all zero may come.
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
      // What is empty takes no room in the file either.
      let isEmpty = piece.withUnsafeBytes { piece in
        piece[0] == 0 && memcmp(piece.baseAddress!, piece.baseAddress! + 1, got - 1) == 0
      }
      if !isEmpty { filled += got }
      guard size <= Self.largest, filled <= most else {
        throw CommandFailure(message: "\(name): is larger than a log of its kind can be")
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

  private func unpacked(by command: [String]) throws(CommandFailure) -> Opened {
    guard access(name, R_OK) == 0 else { throw WholeFile.failure(name, "cannot be opened") }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw WholeFile.failure(name, "cannot be unpacked") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    let result = posix_spawnp(&child, command[0], &actions, nil, arguments, environ)
    close(ends[1])
    defer { close(ends[0]) }
    guard result == 0 else {
      throw CommandFailure(
        message: "\(name): \(command[0]) is needed: \(String(cString: strerror(result)))")
    }
    let copy = Result { () throws(CommandFailure) in
      try copied(from: ends[0], most: mostUnpacked)
    }
    // Who is not read from any more would wait for ever.
    if case .failure = copy { kill(child, SIGKILL) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    let opened = try copy.get()
    guard status == 0 else {
      throw CommandFailure(message: "\(name): \(command[0]) could not unpack it")
    }
    return opened
  }
}

/// The files that operands name.
enum InputFiles {
  /// Files stand for themselves, directories for the logs in them, in the order of their names.
  static func expand(_ operands: [String]) throws(CommandFailure) -> [InputFile] {
    var files: [InputFile] = []
    for operand in operands {
      guard isDirectory(operand) else {
        files.append(InputFile(name: operand))
        continue
      }
      let logs = try names(in: operand).map { "\(operand)/\($0)" }.filter(isLog)
      if logs.isEmpty { throw CommandFailure(message: "\(operand): has no logs in it") }
      files += logs.map { InputFile(name: $0) }
    }
    return files
  }

  private static func isLog(_ path: String) -> Bool {
    path.hasSuffix(".log.gz") || path.hasSuffix(".log.zst") || LogReader.recognises(path: path)
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func names(in directory: String) throws(CommandFailure) -> [String] {
    guard let handle = opendir(directory) else {
      throw WholeFile.failure(directory, "cannot be opened")
    }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      names.append(
        withUnsafeBytes(of: entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }
}
