import ProcessTesting
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
    "A requirement that cannot hop is refused with its reason, each of them", .long,
    arguments: [
      (
        "same",
        "`Self` would be the type of the shim for the caller, but the type of the target in the call"
      ),
      ("static var kind", "a static requirement has no target to call"),
      ("init", "a static requirement has no target to call"),
      ("func each", "parameter packs are not supported"),
      ("func many", "variadic arguments cannot be passed on"),
      ("func lazy", "number is an autoclosure, and would be evaluated after the call"),
      ("func visit", "the closure body may not outlive the call"),
      ("func again", "the closure may not outlive the call"),
      ("func lend", "text is borrowed, and may not outlive the call"),
      ("func inside", "`actor` selects the executor, which only the hop may do"),
      ("consuming func end", "a consuming requirement cannot consume the shared target"),
      (
        "@RefusedActor func elsewhere",
        "the requirement belongs to @RefusedActor, not to the main queue"
      ),
      (
        "func unanswered",
        "the requirement returns Int: give a value, --default 'unanswered()=…'; with --wait 'unanswered()=1' the value is used only if no answer comes in that time"
      ),
      ("func unwaited", "the requirement throws: set the time to wait, --wait 'unwaited()=1'"),
      (
        "func changed",
        "the requirement changes an argument: set the time to wait, --wait 'changed(_:)=1'"
      ),
      (
        "func twice",
        "the requirement returns a value and takes a completion handler, but a default can set only one"
      ),
      (
        "func told",
        "give the arguments of the completion handler for a dropped call: --default 'told(_:)=…'"
      ),
      (
        "func either",
        "give the arguments of the completion handler for a dropped call: --default 'either(_:no:)=…'"
      ),
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
      ("RefusedByActor", "an actor chooses its own executor"),
      ("RefusedSubclass", "requires a subclass of Base, but"),
      ("Nothing", "has no protocol Nothing"),
    ])
  func protocols(_ name: String, _ expected: String) {
    #expect(reason(name).contains(expected))
  }

  @Test(
    "A choice that fits nothing, or that nobody can keep, is refused",
    arguments: [
      (["--wait", "renamd=1"], "the protocol has no requirement renamd"),
      (["--wait", "renamed=1"], "the requirement has no result to wait for"),
      (["--public"], "Named is not public, so its shim cannot be public"),
      (["--destination", "moon"], "--destination must be main or queue, not moon"),
      (["--wait", "renamed"], "--wait needs name=value, not renamed"),
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
    #expect(
      reason("LoaderDelegate", ["--default", "loader=1"]).contains(
        "loader is ambiguous: it matches "))
  }

  @Test("What belongs to the main actor does not go to a queue")
  func mainActor() {
    #expect(
      reason("Screen", ["--destination", "queue"])
        .contains("the requirement belongs to the main actor, not to a queue"))
  }

  @Test("What no class of the main actor's can conform to gets no protocol of the main actor's")
  func isolated() {
    #expect(
      reason("Screen", ["--isolated"]).contains("Screen is already isolated to the main actor"))
    #expect(reason("Store", ["--isolated"]).contains("Store has associated types"))
    #expect(
      reason("Named", ["--isolated", "--destination", "queue"])
        .contains("--isolated is for the main actor"))
  }

  @Test("Of calls that somebody waits for none may be left out")
  func coalesced() {
    #expect(
      reason("LoaderDelegate", ["--latest", "loader(_:shouldGoOn:)"])
        .contains("each caller waits for the result, so no call may be skipped"))
  }
}
