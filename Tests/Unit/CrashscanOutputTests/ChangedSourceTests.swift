import Foundation
import ProcessTesting
import Testing

/// Reports that name places in a source file, read after the file was modified.
@Suite struct ChangedSourceTests {
  private let folder = TestFiles.directory()
  private var source: String { "\(folder)/Till.swift" }
  private var report: String { "\(folder)/console.txt" }

  private func crashscan(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess.run("crashscan", arguments)
  }

  /// Writes a source file, and a report that names its third line; the file is older or newer by a
  /// minute.
  private func write(sourceIsNewer: Bool) throws {
    try """
    func pay(_ price: Int?) -> Int {
      let discount = 3
      return price! - discount
    }

    """.write(toFile: source, atomically: true, encoding: .utf8)
    try """
    *** Program crashed: Illegal instruction at 0x00007f4d9136df7f ***

    Thread 0 "till" crashed:

    0 [inlined] 0x0000563f96d4a2e9 Swift runtime failure: Unexpectedly found nil in till at /<compiler-generated>
    1 0x0000563f96d4a2e9 pay(_:) + 360 in till at \(source):3:15
    2 0x0000563f96d4a2e0 main + 8 in till at \(folder)/main.swift:3:15

    """.write(toFile: report, atomically: true, encoding: .utf8)
    let time = Date(timeIntervalSinceNow: sourceIsNewer ? 60 : -60)
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: source)
  }

  @Test func aLineOfAnUnchangedFileIsShown() throws {
    try write(sourceIsNewer: false)
    let run = try crashscan(report)
    #expect(run.output.contains("│ return price! - discount\n"), "\(run.output)")
    #expect(!run.output.contains("has changed"))
  }

  @Test func aLineOfAFileThatWasChangedSinceIsNotShown() throws {
    try write(sourceIsNewer: true)
    for format in ["text", "json", "html", "sarif"] {
      let run = try crashscan(report, "--format", format)
      #expect(run.output.contains("Till.swift"))
      #expect(!run.output.contains("return price!"), "\(format): \(run.output)")
      let told = (format == "text" ? run.output : run.errors).split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")
      #expect(
        told.contains("the source has changed since the build: Till.swift is newer"), "\(told)")
      #expect(told.contains("(--trust-sources if"))
    }
  }

  @Test func aReaderWhoKnowsBetterSeesTheLine() throws {
    try write(sourceIsNewer: true)
    let run = try crashscan(report, "--trust-sources")
    #expect(run.output.contains("│ return price! - discount\n"), "\(run.output)")
    #expect(!run.output.contains("has changed"))
  }
}
