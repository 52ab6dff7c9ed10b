import Breadcrumbs
import Dispatch
import Foundation
import Testing

@Suite("A hostile log cannot steer a terminal")
struct HostileLogTests {
  /// Clears the screen, sets the title, rings, turns writing round, fakes a line, hides text.
  private static let attack =
    "\u{1B}[2J\u{1B}]0;owned\u{7}\u{9B}31m\u{202E}\u{2066}\u{200F}\u{FEFF}\u{85}\u{2028}\u{E0041}"
    + "\r\n12:00:00.000  all is well\0\u{8}\u{7F}"

  private func hostileLog() throws -> String {
    try Log.recorded { recorder in
      Log.onThread(named: "\u{1B}[31m\n\u{9B}evil") {
        DispatchQueue(label: Self.attack).sync {
          recorder.record(
            Self.attack, category: "\u{1B}[1m\n", data: ["k\u{1B}\n": .string(Self.attack)])
        }
      }
    }
  }

  private func steering(_ text: String, besides allowed: Set<Unicode.Scalar>) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { scalar in
      let isInvisible =
        scalar.properties.generalCategory == .control
        || scalar.properties.generalCategory == .format || scalar.value == 0x2028
      return isInvisible && !allowed.contains(scalar)
    }
  }

  @Test("Text shows every control as an escape, and each crumb stays one line")
  func text() throws {
    let path = try hostileLog()
    for arguments in [[], ["--verbose"]] {
      let outcome = try Tool.run(Tool.path, ["show", path] + arguments)
      #expect(outcome.status == 0)
      #expect(steering(outcome.output, besides: ["\n"]).isEmpty)
      #expect(Log.lines(outcome).count == 1)
      #expect(outcome.output.contains(#"\u{1B}[2J\u{1B}]0;owned\u{7}\u{9B}31m\u{202E}\u{2066}"#))
      #expect(outcome.output.contains(#"\r\n12:00:00.000  all is well\u{0}\u{8}\u{7F}"#))
    }
  }

  @Test("JSON shows them escaped too, and gives them back whole")
  func json() throws {
    let output = try Tool.run("show", hostileLog(), "--format", "json").output
    #expect(steering(output, besides: ["\n"]).isEmpty)
    let document = try JSONDecoder().decode(ShownDocument.self, from: Data(output.utf8))
    let crumb = try #require(document.crumbs.first)
    #expect(crumb.message == Self.attack)
    #expect(crumb.data.map(\.value) == [.string(Self.attack)])
    #expect(crumb.queue?.label.hasPrefix("\u{1B}[2J") == true)
  }

  @Test("What a person types is escaped when it is said back")
  func arguments() throws {
    let outcome = try Tool.run("show", "/nowhere/\u{1B}[2J")
    #expect(steering(outcome.errors, besides: ["\n"]).isEmpty)
    #expect(outcome.errors.contains(#"/nowhere/\u{1B}[2J: cannot be opened"#))
    #expect(try steering(Tool.run("show", "--\u{1B}c").errors, besides: ["\n"]).isEmpty)
  }
}
