import Testing

@testable import HopShimGenerator

@Suite("What is refused, and why")
struct RefusalTests {
  /// Why there is no shim for `name`.
  private func reason(_ name: String, _ more: [String] = []) -> String {
    do {
      let options = try Options(
        ["--protocol", name, "--module", "ShimmedProtocols"] + more
          + ["--search-path", GeneratedFile.modules])
      return try Program.source(for: options)
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "A requirement that cannot hop is refused with its reason, each of them",
    arguments: [
      ("same", "Self is the shim to its caller, and the target to the target"),
      ("static var kind", "there is no target to ask: it belongs to the type"),
      ("init", "there is no target to ask: it belongs to the type"),
      ("func each", "a pack of arguments cannot be handed over"),
      ("func many", "variadic arguments cannot be passed on"),
      ("func lazy", "number is evaluated by whoever is called, after the call"),
      ("func visit", "the closure body may not outlive the call"),
      ("func again", "its closure may not outlive the call"),
      ("func lend", "text is borrowed, and may not outlive the call"),
      ("func inside", "`actor` says where the code runs, which is the hop's to say"),
      ("consuming func end", "it consumes the target, which is shared"),
      ("@RefusedActor func elsewhere", "it belongs to @RefusedActor, not to the main queue"),
      (
        "func unanswered",
        "it returns Int: say what, --default 'unanswered()=…', and with --wait 'unanswered()=1' "
          + "only if no answer came in that time"
      ),
      ("func unwaited", "it throws: say how long to wait, --wait 'unwaited()=1'"),
      (
        "func changed",
        "it changes an argument: say how long to wait, --wait 'changed(_:)=1'"
      ),
      (
        "func twice", "it both answers and calls back, and a default can say but one of them"
      ),
      ("func told", "say what a drop tells whoever waits: --default 'told(_:)=…'"),
      ("func either", "say what a drop tells whoever waits: --default 'either(_:no:)=…'"),
    ])
  func requirements(_ declaration: String, _ expected: String) {
    let lines = reason("Refused").split(separator: "\n").map(String.init)
    #expect(lines.count == 18)
    #expect(
      lines.contains { $0.contains(declaration) && $0.hasSuffix(": \(expected)") },
      "\(lines.joined(separator: "\n"))")
  }

  @Test(
    "A protocol that no object of ours can conform to is refused",
    arguments: [
      ("RefusedByActor", "an actor runs its own code"), ("RefusedSubclass", "wants a subclass"),
      ("Nothing", "has no protocol Nothing"),
    ])
  func protocols(_ name: String, _ expected: String) {
    #expect(reason(name).contains(expected))
  }

  @Test(
    "A choice that fits nothing, or that nobody can keep, is refused",
    arguments: [
      (["--wait", "renamd=1"], "no requirement is called renamd"),
      (["--wait", "renamed=1"], "nobody waits for it"),
      (["--public"], "Named is not public, so its shim cannot be"),
      (["--destination", "moon"], "--destination is main or queue, not moon"),
      (["--wait", "renamed"], "--wait wants name=value, not renamed"),
      (["--wat", "x"], "unknown option --wat"),
    ])
  func choices(_ options: [String], _ expected: String) {
    #expect(reason("Named", options).contains(expected))
  }

  @Test("An option without its value is refused")
  func valueless() {
    #expect(throws: Refusal.self) { try Options(["--protocol", "Named", "--wait"]) }
  }

  @Test("A name that several requirements share is asked to be given in full")
  func ambiguous() {
    #expect(reason("LoaderDelegate", ["--default", "loader=1"]).contains("loader may be any of "))
  }

  @Test("What belongs to the main actor does not go to a queue")
  func mainActor() {
    #expect(
      reason("Screen", ["--destination", "queue"])
        .contains("it belongs to the main actor, not to a queue"))
  }

  @Test("Of calls that somebody waits for none may be left out")
  func coalesced() {
    #expect(
      reason("LoaderDelegate", ["--latest", "loader(_:shouldGoOn:)"])
        .contains("each of its callers waits, so none may be left out"))
  }
}
