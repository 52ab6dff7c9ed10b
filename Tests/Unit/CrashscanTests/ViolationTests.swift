import Breadcrumbs
import Foundation
import Testing
import ThreadAffinity

@Suite("A violation is shown with both of its ends")
struct ViolationTests {
  @inline(never)
  private static func bindHere(_ affinity: Affinity) { affinity.expect("bound by the first") }

  @inline(never)
  private static func breakThere(_ affinity: Affinity) { affinity.expect("read by another") }

  @Test("Where it happened, and below it the stack of where the thread was bound")
  func origin() throws {
    let recorder = try Log.keeper.get()
    let affinity = Affinity.thread("loader").policy(.record)
    Log.onThread(named: "first") { Self.bindHere(affinity) }
    // In a scope of its own: tests that run in parallel may be checked for violations.
    Log.onThread(named: "second") { ViolationPolicy.record.scoped { Self.breakThere(affinity) } }
    let output = try Tool.run("show", recorder.path, "--thread", "second").output
    let lines = output.split(separator: "\n").map(String.init)
    let crumb = try #require(
      lines.firstIndex { $0.contains("violation, affinity: read by another") })
    #expect(lines[crumb].contains(" off   "))
    #expect(lines[crumb + 1].contains("0  static ViolationTests.breakThere(_:) at "))
    let heading = try #require(lines.firstIndex { $0.hasPrefix("      bound at ") })
    #expect(lines[heading].contains("CrashscanTests/ViolationTests.swift:"))
    #expect(lines[heading + 1].contains("0  static ViolationTests.bindHere(_:) at "))
    #expect(!output.contains("originStack"))
  }
}
