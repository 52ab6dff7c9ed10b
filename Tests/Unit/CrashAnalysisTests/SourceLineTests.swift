import CrashAnalysis
import Foundation
import IncidentModel
import ProcessTesting
import Testing

@Suite struct SourceLineTests {
  private func place(_ file: String, _ line: Int, _ source: String) -> CodePlace {
    var place = CodePlace(function: "f()", module: "M", file: file, line: line)
    place.source = source
    return place
  }

  private func written(_ text: String, as name: String = "Source.swift") throws -> String {
    let path = TestFiles.path(name)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test func linesAroundAPlaceAreThoseOfItsFile() throws {
    let file = try written("one\n  two\n\nfour\nfive")
    let middle = SourceLine.excerpt(around: place(file, 2, "two"), margin: 1)
    #expect(middle?.first == 1 && middle?.lines == ["one", "  two", ""])
    let last = SourceLine.excerpt(around: place(file, 5, "five"), margin: 1)
    #expect(last?.first == 4 && last?.lines == ["four", "five"])
    for line in [-1, 0, 6, .max] {
      #expect(SourceLine.excerpt(around: place(file, line, "one"), margin: 1) == nil)
    }
  }

  @Test func anotherLineThanThatOfTheReportIsNotShown() throws {
    let file = try written("one\n  two\n")
    #expect(SourceLine.excerpt(around: place(file, 1, "two"), margin: 1) == nil)
    #expect(
      SourceLine.excerpt(
        around: CodePlace(function: "f()", module: "M", file: file, line: 1), margin: 1) == nil)
  }

  @Test func whatIsNoSourceIsNotRead() throws {
    let text = try written("one\ntwo\n", as: "secret.txt")
    #expect(SourceLine.excerpt(around: place(text, 1, "one"), margin: 0) == nil)
    for path in ["relative.swift", "/dev/zero", "/nowhere/a.swift", "/", ""] {
      #expect(SourceLine.excerpt(around: place(path, 1, "one"), margin: 0) == nil)
    }
  }

  /// A log can name a file in each of its findings.
  @Test func aFileIsReadOnce() throws {
    let file = try written("one\ntwo\n")
    let before = SourceLine.excerpt(around: place(file, 2, "two"), margin: 0)
    try FileManager.default.removeItem(atPath: file)
    #expect(before?.lines == ["two"])
    #expect(SourceLine.excerpt(around: place(file, 2, "two"), margin: 0) == before)
    #expect(SourceLine.excerpt(around: place(file, 1, "one"), margin: 0)?.lines == ["one"])
  }
}
