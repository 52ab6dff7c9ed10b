import Breadcrumbs
import Foundation
import ProcessTesting
import Testing

@Suite("JSON is one document of the schema")
struct DocumentTests {
  private func document(_ path: String, _ arguments: String...) throws -> ShownDocument {
    let outcome = try Tool.run(Tool.path, ["show", path, "--format", "json"] + arguments)
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    return try JSONDecoder().decode(ShownDocument.self, from: Data(outcome.output.utf8))
  }

  @Test("Data keeps its types, to the last bit")
  func types() throws {
    let path = try Log.recorded { recorder in
      recorder.record(
        "values",
        data: [
          "text": "a \"b\" \\c", "least": .integer(.min), "most": .integer(.max),
          "tenth": 0.1, "whole": .double(3), "no": false, "nan": .double(.nan),
          "endless": .double(-.infinity), "text": "again",
        ])
    }
    let crumb = try #require(try document(path).crumbs.first)
    #expect(
      crumb.data.map(\.key) == [
        "text", "least", "most", "tenth", "whole", "no", "nan", "endless", "text",
      ])
    #expect(
      crumb.data.map(\.type) == [
        "string", "integer", "integer", "double", "double", "boolean", "double", "double", "string",
      ])
    #expect(crumb.data[0].value == .string("a \"b\" \\c"))
    #expect(crumb.data[1].value == .integer(.min))
    #expect(crumb.data[2].value == .integer(.max))
    #expect(crumb.data[3].value == .double(0.1))
    #expect(crumb.data[5].value == .boolean(false))
    #expect(crumb.data[6].value == .string("nan"))
    #expect(crumb.data[7].value == .string("-inf"))
  }

  @Test("The time of a crumb lies between the clock before and after it")
  func time() throws {
    let before = Date()
    let path = try Log.recorded { $0.record("now") }
    let after = Date()
    let text = try #require(try document(path).crumbs.first?.time)
    #expect(text.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z/#) != nil)
    let time = try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
    #expect(time >= before - 0.002 && time <= after + 0.002)
  }

  @Test("A message that was too long is marked as cut")
  func cut() throws {
    let path = try Log.recorded { recorder in
      recorder.record("\(String(repeating: "x", count: 5_000))", data: [:])
      recorder.record("short", data: [:])
    }
    let crumbs = try document(path).crumbs
    #expect(crumbs.map(\.isMessageCut) == [true, nil])
    #expect(try Tool.run("show", path).output.contains("xxx [cut]\n"))
  }

  @Test("Each crumb is a line of its own, also when there is none")
  func lines() throws {
    let path = try Log.recorded { recorder in
      for number in 0..<3 { recorder.record("crumb \(number)", data: [:]) }
    }
    let output = try Tool.run("show", path, "--format", "json").output
    let lines = output.split(separator: "\n")
    #expect(lines.count == 5)
    for line in lines.dropFirst().dropLast() {
      let crumb = line.hasSuffix(",") ? line.dropLast() : line
      _ = try JSONDecoder().decode(ShownDocument.Crumb.self, from: Data(crumb.utf8))
    }
    #expect(try document(path, "--last", "0").crumbs.isEmpty)
  }

  @Test("The modules of the frames come with their build ids")
  func modules() throws {
    let path = try Log.recorded { $0.record("with a stack", stack: .always) }
    let document = try document(path)
    #expect(document.schema == "crashscan-show/1")
    #expect(document.log == path)
    #expect(document.process?.id == Int(getpid()))
    let names = Set(document.crumbs.compactMap(\.stack).flatMap(\.frames).compactMap(\.module))
    #expect(Set(document.modules.map { String($0.path.split(separator: "/").last ?? "") }) == names)
    for module in document.modules {
      #expect(module.buildID.count >= 16 || !Toolchain.hasWholeLibraries, "\(module.path)")
    }
  }
}
