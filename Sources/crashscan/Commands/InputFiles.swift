import BreadcrumbLog
import Glibc
import Reporting

/// A file to analyse, under the name it was given.
struct InputFile {
  let name: String

  /// A regular file with the input's bytes; it lives as long as this does.
  final class Opened {
    let path: String
    fileprivate let file: Int32?

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
    if name == "-" { return try unpacked(try copied(from: STDIN_FILENO)) }
    if name.hasSuffix(".gz") { return try unpacked(by: ["gzip", "-dc", "--", name]) }
    if name.hasSuffix(".zst") { return try unpacked(by: ["zstd", "-dcq", "--", name]) }
    return Opened(path: name)
  }

  /// What came in without a name that says so may be packed all the same.
  private func unpacked(_ opened: Opened) throws(CommandFailure) -> Opened {
    guard let file = opened.file else { return opened }
    var head = [UInt8](repeating: 0, count: 4)
    guard pread(file, &head, 4, 0) == 4, lseek(file, 0, SEEK_SET) == 0 else { return opened }
    if head[0] == 0x1F && head[1] == 0x8B { return try unpacked(by: ["gzip", "-dc"], from: file) }
    if head == [0x28, 0xB5, 0x2F, 0xFD] { return try unpacked(by: ["zstd", "-dcq"], from: file) }
    return opened
  }

  private static let most = 64 << 30

  private func copied(from source: Int32) throws(CommandFailure) -> Opened {
    let directory = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(directory)/crashscan-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { throw WholeFile.failure(directory, "has no room for a temporary file") }
    unlink(template)
    let opened = Opened(temporary: file)
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    var size = 0
    while true {
      let got = read(source, &piece, piece.count)
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw WholeFile.failure(name, "cannot be read") }
      if got == 0 { return opened }
      size += got
      guard size <= Self.most, write(file, piece, got) == got else {
        throw WholeFile.failure(name, "cannot be copied to a temporary file")
      }
    }
  }

  private func unpacked(
    by command: [String], from source: Int32? = nil
  ) throws(CommandFailure) -> Opened {
    guard source != nil || access(name, R_OK) == 0 else {
      throw WholeFile.failure(name, "cannot be opened")
    }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw WholeFile.failure(name, "cannot be unpacked") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    if let source { posix_spawn_file_actions_adddup2(&actions, source, STDIN_FILENO) }
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
    let copy = Result { () throws(CommandFailure) in try copied(from: ends[0]) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    guard status == 0 else {
      throw CommandFailure(message: "\(name): \(command[0]) could not unpack it")
    }
    return try copy.get()
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
