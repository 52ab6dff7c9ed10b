import IncidentModel
import Testing

@testable import Breadcrumbs

/// Chatter never pushes the story out of the log, nor one part of the story another.
struct StoryTests {
  private let scratch: Scratch
  private let recorder: BreadcrumbRecorder

  init() throws {
    scratch = try Scratch()
    recorder = try BreadcrumbRecorder(path: scratch.log, capacity: 256 << 10, automatic: [])
  }

  /// A few crumbs of each part of the story.
  private func tell() {
    recorder.recordLifecycle(.didLaunch)
    recorder.record("an error", level: .error)
    recorder.beginBackgroundTask("a task").end()
    recorder.leaveViolation("a violation")
  }

  private func told(_ incident: Incident) -> [CrumbKind: [String]] {
    var told: [CrumbKind: [String]] = [:]
    for crumb in incident.crumbs where crumb.kind != .note {
      told[crumb.kind, default: []].append(crumb.message)
    }
    return told
  }

  private static let story: [CrumbKind: [String]] = [
    .lifecycle: ["did launch"], .error: ["an error"], .backgroundTask: ["a task", "a task"],
    .violation: ["a violation"],
  ]

  @Test func aFloodOfChatterLeavesTheStoryAlone() throws {
    tell()
    for number in 0..<20_000 {
      recorder.record("note \(number)", data: ["number": .integer(number)])
    }
    let incident = try scratch.incident()
    #expect(told(incident) == Self.story)
    let kept = incident.crumbs(of: .note).count
    #expect(kept > 100)
    #expect(incident.losses.recycled == [.note: UInt64(20_000 - kept)])
    #expect(incident.losses.dropped.isEmpty)
    #expect(incident.messages.last == "note 19999")
  }

  @Test(arguments: [CrumbKind.lifecycle, .error, .backgroundTask, .violation])
  func aFloodOfOneKindPushesOutNoOther(kind: CrumbKind) throws {
    tell()
    recorder.record("a note")
    for _ in 0..<3000 {
      switch kind {
      case .lifecycle: recorder.recordLifecycle(.init("flood"), stack: .never)
      case .error: recorder.record("flood", level: .error, stack: .never)
      case .backgroundTask: _ = recorder.beginBackgroundTask("flood")
      default: recorder.leaveViolation("flood")
      }
    }
    let incident = try scratch.incident()
    var others = Self.story
    others[kind] = nil
    #expect(told(incident).filter { $0.key != kind } == others)
    #expect(incident.messages.contains("a note"))
    #expect(Array(incident.losses.recycled.keys) == [kind])
    #expect(incident.crumbs(of: kind).last?.message == "flood")
  }
}

extension BreadcrumbRecorder {
  /// As the affinity checks leave one, which know only the first recorder that any test opened.
  func leaveViolation(_ message: String) {
    leave(
      CrumbContents(message: message, data: []), .warning, "affinity",
      kind: CrumbKind.violation.rawValue, stack: [])
  }
}
