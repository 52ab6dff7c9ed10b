import Foundation
import LogReading
import Testing

@Suite("The command line answers as other tools do")
struct CommandLineTests {
  @Test("The help of a command, to the letter")
  func help() throws {
    let expected = """
      crashscan completions: write completions for a shell.

      Examples:
        source <(crashscan completions bash)
            Enable completions in this shell.
        crashscan completions fish > ~/.config/fish/completions/crashscan.fish
            Install completions for fish.

      Usage:
        crashscan completions SHELL

      Options:
        -h, --help  Show this help

      """
    for arguments in [
      ["completions", "--help"], ["help", "completions"], ["completions", "bash", "-h"],
    ] {
      let outcome = try Tool.run(Tool.path, arguments)
      #expect(outcome.output == expected)
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
    }
  }

  @Test("The help names every command and option, and fits into 80 columns")
  func helpIsWhole() throws {
    let overview = try Tool.run("--help").output
    #expect(try Tool.run().output == overview)
    #expect(try Tool.run("help").output == overview)
    for command in ["show", "man", "completions"] { #expect(overview.contains("\n  \(command) ")) }
    let help = try Tool.run("show", "--help").output
    for option in [
      "--thread T", "--category C", "--since WHEN", "--last N", "--follow", "--format FORMAT",
      "--symbols PATH", "--no-color", "--verbose",
    ] {
      #expect(help.contains("\n  \(option) "))
    }
    for line in (overview + help).split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test("The version names the release, the commit and the formats")
  func version() throws {
    let text = try Tool.run("--version").output
    let first = text.prefix { $0 != "\n" }
    #expect(
      first.wholeMatch(of: #/crashscan \d+\.\d+\.\d+ \(commit ([0-9a-f]{12}|unknown)\)/#) != nil)
    #expect(text.contains("reads breadcrumb logs of format \(LogReader.formatVersion)"))
    for format in ["main-thread-checker", "apple-ips", "sentry-json", "crashscan-report/"] {
      #expect(text.contains(format))
    }
    for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test("A command line that is not understood ends with 64, all of it on standard error")
  func usage() throws {
    let outcome = try Tool.run("show", "x.log", "--lats", "3")
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(
      outcome.errors == """
        crashscan: unknown option '--lats'; did you mean '--last'?
        crashscan: crashscan show --help shows how to use it

        """)
  }

  @Test("Colours are for terminals, and for those who want them", .onATerminal)
  func colours() throws {
    let path = try Log.recorded { $0.record("careful", level: .warning) }
    let script = try #require(Tool.find("script"))
    func onTerminal(_ arguments: String, _ environment: [String: String]) throws -> Bool {
      let command = "stty cols 60; '\(Tool.path)' show '\(path)' \(arguments)"
      let outcome = try Tool.run(script, ["-qec", command, "/dev/null"], environment)
      #expect(outcome.output.contains("careful"))
      return outcome.output.contains("\u{1B}[33m")
    }
    #expect(try onTerminal("", ["TERM": "xterm"]))
    #expect(try !onTerminal("", ["TERM": "xterm", "NO_COLOR": "1"]))
    #expect(try !onTerminal("", ["TERM": "dumb"]))
    #expect(try !onTerminal("--no-color", ["TERM": "xterm"]))
    #expect(try !Tool.run("show", path, environment: ["TERM": "xterm"]).output.contains("\u{1B}"))
  }

  @Test(
    "On a terminal a long message goes on below itself, within the terminal's width", .onATerminal)
  func wrapping() throws {
    let message = (0..<40).map { "word\($0)" }.joined(separator: " ")
    let path = try Log.recorded { $0.record("\(message)", data: [:]) }
    let script = try #require(Tool.find("script"))
    let command = "stty cols 90; '\(Tool.path)' show --no-color '\(path)'"
    let output = try Tool.run(script, ["-qec", command, "/dev/null"]).output
    let lines = output.split(whereSeparator: \.isNewline).map(String.init)
    let start = try #require(lines.firstIndex { $0.contains("word0") })
    let end = try #require(lines.firstIndex { $0.contains("word39") })
    #expect(end > start)
    for line in lines[start...end] { #expect(line.count <= 90) }
    for line in lines[(start + 1)...end] {
      #expect(line.hasPrefix(String(repeating: " ", count: 22) + "word"))
    }
  }
}
