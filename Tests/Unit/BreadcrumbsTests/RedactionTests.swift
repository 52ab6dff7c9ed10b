import IncidentModel
import Synchronization
import Testing
import ThreadAffinity

@testable import Breadcrumbs

/// The redaction hook sees all that is the author's before it is written, and nothing else is.
struct RedactionTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func contains(_ text: String) throws -> Bool {
    let bytes = try scratch.bytes()
    let wanted = Array(text.utf8)
    return bytes.indices.dropLast(wanted.count).contains { start in
      bytes[start] == wanted[0] && bytes[start..<start + wanted.count].elementsEqual(wanted)
    }
  }

  @Test func onlyWhatTheHookLeftReachesTheFile() throws {
    let recorder = try BreadcrumbRecorder(
      path: scratch.log, capacity: 256 << 10, automatic: [],
      redact: { draft in
        draft.message = draft.message.replacing("hunter2", with: "…")
        draft.data = draft.data.filter { $0.key != "password" }
      })
    recorder.record("a fixed message with hunter2 in it")
    recorder.record("a made \("message with hunter2")", data: ["password": "hunter3", "user": 4])
    recorder.record("an error with hunter2", level: .error, stack: .always)
    recorder.recordLifecycle(.init("a step with hunter2"), data: ["password": "hunter3"])
    recorder.beginBackgroundTask("a task with hunter2").end()
    recorder.recordLifecycle("a named step with hunter2")
    recorder.close()
    #expect(try !contains("hunter2"))
    #expect(try !contains("hunter3"))
    #expect(try contains("a made message with …"))
    let incident = try scratch.incident()
    #expect(incident.crumbs.count == 7)
    #expect(incident.crumbs.contains { $0["user"] == .integer(4) })
  }

  @Test func whatTheHookRecordsItselfIsIgnored() throws {
    let own = Mutex<BreadcrumbRecorder?>(nil)
    let recorder = try BreadcrumbRecorder(
      path: scratch.log, capacity: 256 << 10, automatic: [],
      redact: { draft in
        let recorder = own.withLock { $0 }
        recorder?.record("from the hook")
        recorder?.recordLifecycle(.didLaunch)
        recorder?.beginBackgroundTask("from the hook").end()
        draft.message += ", seen"
      })
    own.withLock { $0 = recorder }
    recorder.record("a message")
    own.withLock { $0 = nil }
    #expect(try scratch.incident().messages == ["a message, seen"])
  }

  @Test func theHookIsNotAskedOnceRecordingHasStopped() throws {
    let asked = Mutex(0)
    let recorder = try BreadcrumbRecorder(
      path: scratch.log, capacity: 256 << 10, automatic: [],
      redact: { _ in asked.withLock { $0 += 1 } })
    recorder.record("asked")
    recorder.close()
    recorder.record("not asked")
    recorder.recordLifecycle(.didLaunch)
    recorder.beginBackgroundTask("not asked").end()
    #expect(asked.withLock { $0 } == 1)
  }
}
