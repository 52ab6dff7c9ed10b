import Foundation
import ProcessTesting
import Testing

/// A program keeps a copy of itself beside its log, for reports after a rebuild.
@Suite("The kept program") struct KeptProgramTests {
  private let folder: String
  private var log: String { "\(folder)/breadcrumbs.log" }
  private var service: String { "\(folder)/home/service" }
  private var builds: String { "\(folder)/service.builds" }
  private var kept: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: builds).sorted()) ?? []
  }

  private static let program = URL(fileURLWithPath: "\(ChildProcess.directory)/mainstay-trial")
  private static let memory = "/dev/shm"

  init() throws {
    folder = TestFiles.directory()
    try FileManager.default.createDirectory(
      atPath: "\(folder)/home", withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Self.program.path, toPath: service)
  }

  private func run(_ words: String..., keeping: Bool = true, off: Bool = false) throws
    -> ChildProcess
  {
    try ChildProcess.run(
      path: service, [log] + words,
      ["MAINSTAY_PROGRAM": keeping ? "keep" : "", "MAINSTAY": off ? "off" : ""])
  }

  /// A report without the names that an earlier one kept.
  private func report(_ log: String) throws -> String {
    try ChildProcess.run("crashscan", [log], environment: ["XDG_CACHE_HOME": "/dev/null"])
      .output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private func hasNames(_ report: String) -> Bool {
    report.contains(/SIGSEGV through a null pointer in (mainstay_trial_)?main \(main\.swift:/)
  }

  private func note(_ copy: String) -> String {
    "the names in service are from the copy that the run kept (\(builds)/\(copy)): its file is gone, changed or stripped"
  }

  enum Rebuild: CaseIterable { case newFile, sameFile, noFile }

  @Test("A log that is first read after a rebuild has names", arguments: Rebuild.allCases)
  func rebuilt(_ way: Rebuild) throws {
    #expect(try run("keep", "start", "crash", keeping: false).signal == SIGSEGV)
    let copy = try #require(kept.first)
    #expect(kept.count == 1)
    let beside = try report(log)
    let other = try Data(contentsOf: URL(fileURLWithPath: "\(ChildProcess.directory)/crashscan"))
    // Some linkers write into the file that is there.
    if way != .sameFile { try FileManager.default.removeItem(atPath: service) }
    if way != .noFile { try other.write(to: URL(fileURLWithPath: service), options: []) }
    let after = try report(log)
    #expect(hasNames(beside) && hasNames(after), "\(after)")
    #expect(!beside.contains("the names in service"))
    #expect(after.contains(note(copy)), "\(after)")
    try FileManager.default.removeItem(atPath: builds)
    #expect(try !hasNames(report(log)))
  }

  @Test("A copy of another build is not believed")
  func wrongCopy() throws {
    #expect(try run("start", "crash").signal == SIGSEGV)
    let copy = try #require(kept.first)
    try FileManager.default.removeItem(atPath: service)
    let other = try Data(contentsOf: URL(fileURLWithPath: "\(ChildProcess.directory)/crashscan"))
    try other.write(to: URL(fileURLWithPath: "\(builds)/\(copy)"), options: [])
    let after = try report(log)
    #expect(!hasNames(after) && after.contains("service+0x"), "\(after)")
  }

  /// Programs that differ in their build ids alone.
  private func makeBuilds() throws -> (Int) throws -> String {
    #expect(try run("start").status == 0)
    let first = try #require(kept.first)
    let data = try Data(contentsOf: Self.program)
    let id = Data(
      stride(from: 0, to: first.count, by: 2).map {
        UInt8(first.dropFirst($0).prefix(2), radix: 16)!
      })
    return { number in
      var build = data
      let name = [UInt8](repeating: UInt8(number), count: id.count)
      while let place = build.range(of: id) { build.replaceSubrange(place, with: name) }
      try FileManager.default.removeItem(atPath: service)
      try build.write(to: URL(fileURLWithPath: service), options: [])
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: service)
      return String(repeating: "0\(number)", count: id.count)
    }
  }

  @Test("One build more than earlier logs is kept, and those that ran last")
  func bounded() throws {
    let use = try makeBuilds()
    for number in [1, 2, 3, 4, 5, 1, 6, 7] {
      _ = try use(number)
      // Neither files of others are removed, nor is a copy believed that a killed process began.
      for name in ["notes.txt", ".unfinished"] {
        try Data("x".utf8).write(to: URL(fileURLWithPath: "\(builds)/\(name)"))
      }
      #expect(try run("start").status == 0)
    }
    let expected = try [1, 3, 4, 5, 6, 7].map(use)
    #expect(kept == (expected + ["notes.txt"]).sorted())
  }

  @Test("The log of an earlier run has the names of its own build")
  func earlierRun() throws {
    let use = try makeBuilds()
    let first = try use(1)
    #expect(try run("start", "crash").signal == SIGSEGV)
    _ = try use(2)
    #expect(try run("start", "crash").signal == SIGSEGV)
    let earlier = try report("\(folder)/breadcrumbs.1.log")
    #expect(hasNames(earlier) && earlier.contains(note(first)), "\(earlier)")
    #expect(try hasNames(report(log)))
  }

  @Test("Nothing is kept unasked, nor where the library is off")
  func unasked() throws {
    #expect(try run("start", keeping: false).status == 0)
    #expect(kept.isEmpty && !FileManager.default.fileExists(atPath: builds))
    try FileManager.default.removeItem(atPath: log)
    #expect(try run("keep", "start", off: true).status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["home"])
  }

  @Test("Processes that start at once keep one whole copy")
  func atOnce() throws {
    let path = "\(folder)/own-{pid}.log"
    let all = try (0..<6).map { _ in
      try Program("mainstay-trial", [path, "keep", "start", "wait"])
    }
    for one in all { #expect(one.wait(for: "recording true")) }
    for one in all {
      one.letGoOn()
      #expect(one.end().exitStatus == 0)
    }
    let copies = "\(folder)/mainstay-trial.builds"
    let names = try FileManager.default.contentsOfDirectory(atPath: copies)
    #expect(names.count == 1)
    #expect(isProgram("\(copies)/\(names.first ?? "")"))
  }

  private func isProgram(_ path: String) -> Bool {
    FileManager.default.contentsEqual(atPath: path, andPath: Self.program.path)
  }

  @Test("A copy goes to another file system", .enabled(if: isElsewhere(memory)))
  func otherFileSystem() throws {
    let folder = "\(Self.memory)/\((folder as NSString).lastPathComponent)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let run = try ChildProcess.run(
      path: service, ["\(folder)/breadcrumbs.log", "keep", "start"])
    #expect(run.status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/service.builds")
    #expect(names.count == 1)
    #expect(isProgram("\(folder)/service.builds/\(names.first ?? "")"))
  }

  private static func isElsewhere(_ path: String) -> Bool {
    var (one, other) = (stat(), stat())
    return stat(path, &one) == 0 && stat(NSTemporaryDirectory(), &other) == 0
      && one.st_dev != other.st_dev
  }

  @Test("Where no copy may be made, the program runs as without")
  func impossible() throws {
    // In units of 512 or 1,024 bytes: more than the log, and less than the program.
    let limited = try ChildProcess.run(
      path: "/bin/sh", ["-c", "ulimit -f 3000; exec \(service) \(log) keep start"])
    #expect(limited.output.contains("recording true"), "\(limited.everything)")
    #expect(limited.signal == 0 && limited.status == 0)
    #expect(kept.isEmpty)
    try FileManager.default.removeItem(atPath: builds)
    try Data("x".utf8).write(to: URL(fileURLWithPath: builds))
    let blocked = try run("start", "crash")
    #expect(blocked.signal == SIGSEGV && blocked.errors.isEmpty)
    #expect(try String(contentsOfFile: builds, encoding: .utf8) == "x")
  }
}
