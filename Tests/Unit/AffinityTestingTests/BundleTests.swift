import ProcessTesting
import Testing

extension InTurn {
  /// A program that links AffinityTesting and not CrashTesting.
  struct BundleTests {
    @Test func itHasNamesWithoutLinesAndNoAnalyzer() throws {
      let done = try ChildProcess.run(
        "affinity-bundle", environment: ["SWIFT_BACKTRACE": "enable=no"])
      #expect(done.status == 0 && done.signal == 0, "\(done.errors)")
      let parts = done.output.split(separator: "crash:\n", maxSplits: 1)
      let (violation, rest) = try (#require(parts.first), #require(parts.last))
      #expect(violation.contains("affinity violation: price label: expected main queue"))
      // The place of the check is known without debug information.
      #expect(violation.contains("checked at affinity_bundle/AffinityBundle.swift:9"))
      let stack = violation.split(separator: "\n").map { $0.drop { $0 == " " } }
      let top = try #require(stack.firstIndex { $0.hasPrefix("stack, newest first:") }) + 1
      // Nothing of this library, the standard library or the system.
      #expect(
        stack[top...] == [
          "showPrice()", "closure #1 in closure #1 in static AffinityBundle.main()",
        ],
        "\(violation)")
      #expect(rest.contains(" ended the child process"))
      #expect(rest.contains("depend on CrashTesting to see crashscan's report"))
      #expect(rest.contains("libdw: false"))
    }
  }
}
