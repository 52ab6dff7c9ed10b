import Glibc
import TextOutput

extension Option where Value == Bool {
  static let gtk = Option(
    flag: "gtk", summary: "Record calls of GTK 3 and GTK 4 off their thread")
  static let reportCalls = Option(
    flag: "report", summary: "Also print each place once on standard error")
  static let trap = Option(
    flag: "trap", summary: "End the program with a signal at the first such call, for tests")
  static let children = Option(
    flag: "children", summary: "Observe child processes too",
    discussion:
      "Each child process writes its own log next to the first, for example toolkit-4711.log.")
}

extension Option where Value == String {
  static let calls = Option(
    "calls", takes: "LIST", "the name of a list, or the path of one", completion: .file,
    isRepeatable: true,
    summary:
      "Record calls of functions in LIST (gtk3, gtk4, sdl2 or a file) off the toolkit's thread",
    discussion:
      "docs/internals/toolkit.md describes the format of a list, which can cover any C library.",
    read: { $0.isEmpty ? nil : $0 })
  static let allowedCalls = Option(
    "allow", takes: "FILE", "the path of a file", completion: .file,
    summary: "Ignore the calls in FILE; each line is `call FUNCTION` or `library libfoo.so`",
    read: { $0.isEmpty ? nil : $0 })
}

/// Runs a program and checks its toolkit calls.
struct ToolkitRun {
  private let preloading: Preloading
  private let lists: [CallList]
  private let policy: Int
  private let allowed: String
  private let followsChildren: Bool

  init(_ invocation: Invocation) throws(CommandFailure) {
    #if !arch(x86_64)
      throw CommandFailure(
        message: "--gtk and --calls need an x86-64 processor")
    #else
      guard invocation[.over] == nil, invocation[.loops] == nil else {
        throw CommandFailure(
          message:
            "--over and --loops are options for blocking calls; leave them out with --gtk or --calls",
          code: .usage)
      }
      preloading = Preloading(
        arguments: invocation.operands, log: invocation[.runLog] ?? "toolkit.log")
      let names = (invocation[.gtk] ? ["gtk3", "gtk4"] : []) + invocation.all(.calls)
      var lists: [CallList] = []
      for name in names { lists.append(try Self.list(name)) }
      let toolkits = Set(lists.map(\.toolkit))
      guard toolkits.count <= FrontLibrary.mostToolkits else {
        throw CommandFailure(
          message: "too many toolkits: \(toolkits.count) (at most \(FrontLibrary.mostToolkits))",
          code: .usage)
      }
      self.lists = lists
      policy = invocation[.trap] ? 2 : invocation[.reportCalls] ? 1 : 0
      allowed = try invocation[.allowedCalls].map(Self.allowed) ?? ""
      followsChildren = invocation[.children]
    #endif
  }

  func begin() throws(CommandFailure) -> Never {
    let library = try PreloadedFile.path(of: "libmainstay-toolkit.so")
    let front = try Self.keep(FrontLibrary(lists).bytes)
    var request = ["POLICY": "\(policy)", "ALLOW": allowed]
    if followsChildren { request["CHILDREN"] = "1" }
    let toolkits = lists.map(\.toolkit).reduce(into: [String]()) { known, toolkit in
      if !known.contains(toolkit) { known.append(toolkit) }
    }
    try preloading.begin(
      [front, library], asked: request,
      saying:
        "calls of \(toolkits.joined(separator: " and ")) off the toolkit's thread are recorded in \(preloading.log); internal "
        + "calls of the toolkit" + (followsChildren ? "" : " and child processes")
        + " are not recorded")
  }

  /// Reads the list at a path, or an installed list by name.
  private static func list(_ name: String) throws(CommandFailure) -> CallList {
    let isPath = name.contains("/") || name.hasSuffix(".calls")
    let path = isPath ? name : try PreloadedFile.path(of: "calls/\(name).calls")
    let text = try Self.text(path)
    do {
      return try CallList(text: text, path: path)
    } catch {
      throw CommandFailure(message: "\(error.description)")
    }
  }

  private static func text(_ path: String) throws(CommandFailure) -> String {
    String(decoding: try WholeFile.read(path), as: UTF8.self)
  }

  /// Returns the lines of a file of allowances.
  private static func allowed(_ path: String) throws(CommandFailure) -> String {
    let lines = try Self.text(path).split(separator: "\n").filter { !$0.hasPrefix("#") }
    for line in lines where !["call ", "library "].contains(where: line.hasPrefix) {
      throw CommandFailure(
        message:
          "\(path): not a line of an allow list: “\(String(line))” (expected `call FUNCTION` or `library libfoo.so`)"
      )
    }
    return lines.joined(separator: "\n")
  }

  /// Writes the interposing library to a path where the loader of the program and of later child
  /// processes finds it. The name is a hash of the content, so that there is one file for each set
  /// of lists.
  private static func keep(_ bytes: [UInt8]) throws(CommandFailure) -> String {
    let own = getenv("XDG_CACHE_HOME").map { String(cString: $0) } ?? ""
    let home = getenv("HOME").map { String(cString: $0) } ?? ""
    let base = own.hasPrefix("/") ? own : home.isEmpty ? "/tmp" : "\(home)/.cache"
    let folder = "\(base)/mainstay"
    mkdir(base, 0o700)
    mkdir(folder, 0o700)
    let hash = bytes.reduce(into: UInt64(0xcbf2_9ce4_8422_2325)) { hash, byte in
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    let path = "\(folder)/front-\(String(hash, radix: 16)).so"
    if (try? WholeFile.read(path)) == bytes { return try PreloadedFile.checked(path) }
    let aside = "\(path).\(getpid())"
    guard let file = fopen(aside, "wx") else { throw failure(aside) }
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count, rename(aside, path) == 0 else {
      throw failure(aside)
    }
    return try PreloadedFile.checked(path)
  }

  private static func failure(_ path: String) -> CommandFailure {
    CommandFailure(
      message: "\(path): \(String(cString: strerror(errno)))")
  }
}
