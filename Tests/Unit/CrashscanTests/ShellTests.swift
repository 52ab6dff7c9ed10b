import Foundation
import ProcessTesting
import Testing

@Suite("Man page and completions are what their readers expect")
struct ShellTests {
  @Test("The man page is formatted without a warning, and has every option")
  func manPage() throws {
    let page = TestFiles.path("crashscan.1")
    try Tool.run("man").output.write(toFile: page, atomically: true, encoding: .utf8)
    let man = try #require(Tool.find("man"))
    let outcome = try Tool.run(man, ["--warnings", "-l", page], ["MANWIDTH": "80", "LC_ALL": "C"])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    for part in [
      "NAME", "SYNOPSIS", "EXAMPLES", "--since WHEN", "--symbols PATH", "NO_COLOR", "64",
    ] {
      #expect(outcome.output.contains(part))
    }
    if let mandoc = Tool.find("mandoc") {
      let lint = try Tool.run(mandoc, ["-Tlint", page])
      #expect(lint.status == 0 && lint.output.isEmpty, "\(lint.output)")
    }
  }

  /// What bash offers for a command line.
  private func bash(_ words: String...) throws -> [String] {
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      set -u
      source <('\(Tool.path)' completions bash)
      complete -p crashscan >/dev/null || exit 1
      COMP_WORDS=(crashscan \(list)); COMP_CWORD=\(words.count); COMPREPLY=()
      _crashscan
      [[ ${#COMPREPLY[@]} -eq 0 ]] || printf '%s\\n' "${COMPREPLY[@]}"
      """
    let outcome = try Tool.run(#require(Tool.find("bash")), ["--norc", "-c", script])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  @Test("bash completes commands, options, values and files")
  func bashCompletes() throws {
    #expect(try bash("sh") == ["show"])
    #expect(try bash("show", "--fo") == ["--follow", "--format"])
    #expect(
      try bash("show", "--format", "")
        == ["text", "json", "sentry", "death", "otlp", "sentry-envelope"])
    #expect(try bash("show", "--format", "=", "j") == ["json"])
    #expect(try bash("completions", "z") == ["zsh"])
    #expect(try bash("report", "--only", "hop") == ["hop-overtaken", "hop-storm"])
    #expect(try bash("a.log", "--ignore", "slow") == ["slow-hop"])
    #expect(try bash("help", "ma") == ["man"])
    #expect(try bash("show", "--last", "") == [])
    let directory = TestFiles.directory()
    try Data().write(to: URL(fileURLWithPath: directory + "/bread crumbs.log"))
    #expect(try bash("show", directory + "/bread") == [directory + "/bread crumbs.log"])
    #expect(try bash("report", "--baseline", directory + "/b") == [directory + "/bread crumbs.log"])
    #expect(try bash(directory + "/bread") == [directory + "/bread crumbs.log"])
    #expect(try bash(directory + "/bread crumbs.log", "--verb") == ["--verbose"])
    #expect(try bash("show", "--symbols", directory.dropLastCharacters(3)) == [directory])
  }

  @Test("fish completes them", .enabled(if: Tool.find("fish") != nil))
  func fishCompletes() throws {
    let fish = try #require(Tool.find("fish"))
    func offers(_ line: String) throws -> [String] {
      let script = "'\(Tool.path)' completions fish | source; complete -C '\(line)'"
      let outcome = try Tool.run(fish, ["--no-config", "-c", script])
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      return outcome.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }
    #expect(try offers("crashscan comp") == ["completions"])
    #expect(try offers("crashscan show --fo") == ["--follow", "--format"])
    #expect(try offers("crashscan some.log --verb") == ["--verbose"])
    #expect(
      try offers("crashscan show --format ")
        == ["death", "json", "otlp", "sentry", "sentry-envelope", "text"])
    #expect(try offers("crashscan completions z") == ["zsh"])
    #expect(try offers("crashscan man --fo") == [])
  }

  @Test("zsh completes them", .enabled(if: Tool.find("zsh") != nil))
  func zshCompletes() throws {
    let directory = TestFiles.directory()
    try Tool.run("completions", "zsh").output.write(
      toFile: directory + "/_crashscan", atomically: true, encoding: .utf8)
    // Keys are typed at a shell on a terminal of its own; what it then runs says what it made of them.
    let script = """
      zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell 'PS1=; fpath=(\(directory) $fpath); autoload -Uz compinit; compinit -u -D'
      zpty -w shell 'crashscan() { print -r -- "ran:$*." }'
      zpty -w -n shell $'crashscan comp\\t\\n' $'crashscan show --fol\\t\\n'
      zpty -w -n shell $'crashscan show --format j\\t\\n' $'crashscan some.log --verb\\t\\n'
      zpty -w -n shell $'crashscan completions z\\t\\nexit\\n'
      while zpty -r shell line; do print -r -- "$line"; done
      """
    let outcome = try Tool.run(#require(Tool.find("zsh")), ["-f", "-c", script])
    let ran = outcome.output.matches(of: #/ran:([^$.]*(?:\.log[^.]*)?)\./#).map { String($0.1) }
    #expect(
      ran == [
        "completions", "show --follow", "show --format json", "some.log --verbose",
        "completions zsh",
      ])
  }
}

extension String {
  fileprivate func dropLastCharacters(_ count: Int) -> String { String(dropLast(count)) }
}
