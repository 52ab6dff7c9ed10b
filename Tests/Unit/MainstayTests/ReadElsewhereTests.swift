import Foundation
import ProcessTesting
import Testing

/// One log, read beside the program, with a bundle of it, with the program stripped, and with nothing.
@Suite("A log that is read elsewhere") struct ReadElsewhereTests {
  private let folder = TestFiles.directory()
  private var log: String { "\(folder)/breadcrumbs.log" }

  private func crashscan(_ arguments: String...) throws -> String {
    // Without a cache, which would keep the names from the first reading.
    try ChildProcess.run("crashscan", arguments, environment: ["XDG_CACHE_HOME": "/dev/null"])
      .output
  }

  /// A copy of the program that no other test has beside it, in a folder of its own, which crashes.
  private func crash() throws -> String {
    let home = "\(folder)/home"
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let service = "\(home)/service"
    try FileManager.default.copyItem(
      atPath: "\(ChildProcess.directory)/mainstay-trial", toPath: service)
    let ending = try ChildProcess.run(path: service, [log, "start", "violate", "crash"])
    #expect(ending.signal == SIGSEGV)
    return service
  }

  /// What is missing, as the report says it below its findings.
  private func missing(_ report: String) -> String? {
    report.firstMatch(of: #/\n(frames of .*(?:\n  .*)*)\n/#).map {
      $0.1.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
  }

  @Test("A bundle says the same words as the program beside it; else the report says what mends it")
  func four() throws {
    let service = try crash()
    let beside = try crashscan(log)
    let bundles = "\(folder)/bundles"
    #expect(try crashscan("symbols", service, "--output", bundles + "/").contains("build "))
    let stripped = "\(folder)/stripped"
    try FileManager.default.createDirectory(atPath: stripped, withIntermediateDirectories: true)
    let strip = try ChildProcess.run(
      path: "/usr/bin/strip", ["-o", "\(stripped)/service", service])
    #expect(strip.status == 0)
    try FileManager.default.removeItem(atPath: service)

    let bundled = try crashscan(log, "--symbols", bundles)
    let bare = try crashscan(log, "--symbols", stripped)
    let nothing = try crashscan(log)

    // A build for tests may have given `main` a name of its own.
    #expect(
      beside.contains(/SIGSEGV through a null pointer in (mainstay_trial_)?main \(main\.swift:/))
    #expect(missing(beside) == nil)
    // But for how to read it again.
    #expect(bundled.replacing(" --symbols \(bundles)", with: "") == beside)

    let mends =
      "pass the file of that build, or the output of `crashscan symbols service` for it, with --symbols PATH"
    #expect(missing(bare) == "frames of service have no symbols: its file is stripped; \(mends)")
    #expect(missing(nothing) == "frames of service have no symbols: not found; \(mends)")
    for report in [bare, nothing] {
      // The death and the crumbs are there all the same, and no name that nobody knows.
      #expect(report.contains("SIGSEGV through a null pointer in service+0x"))
      #expect(report.contains("the trial's check"))
      #expect(!report.contains("mainstay_trial_main"))
    }
  }
}
