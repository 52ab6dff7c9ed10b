import Glibc
import IncidentModel
import ProcessTesting
import Testing

@testable import Breadcrumbs

/// Background work leaves each of its steps once.
struct BackgroundTaskTests {
  private let scratch: Scratch
  private let recorder: BreadcrumbRecorder

  init() throws {
    scratch = try Scratch()
    recorder = try BreadcrumbRecorder(path: scratch.log, capacity: 256 << 10, automatic: [])
  }

  private func steps() throws -> [String] {
    try scratch.incident().crumbs(of: .backgroundTask).map { crumb in
      "\(crumb.message) \(crumb["task"].map(\.description) ?? "") \(crumb["step"].map(\.description) ?? "")"
    }
  }

  private func waitForSteps(_ count: Int) throws {
    _ = try comesToHold { try steps().count >= count }
  }

  @Test func workThatHasEndedDoesNotExpire() throws {
    let task = recorder.beginBackgroundTask("upload", expiringAfter: .milliseconds(300))
    task.end()
    task.end()
    // When its time has run out, so has the other's.
    let later = recorder.beginBackgroundTask("download", expiringAfter: .milliseconds(400))
    _ = try comesToHold { try steps().contains("download 2 expired") }
    later.end()
    let upload = try steps().filter { $0.hasPrefix("upload") }
    #expect(upload.last == "upload 1 end")
    #expect(upload.filter { $0 != "upload 1 expired" } == ["upload 1 begin", "upload 1 end"])
    #expect(try scratch.incident().crumbs.first?.stack != nil)
  }

  @Test func workThatGoesOnTooLongExpiresOnceAndMayStillEnd() throws {
    let task = recorder.beginBackgroundTask("upload", expiringAfter: .milliseconds(30))
    try waitForSteps(2)
    task.end()
    #expect(try steps() == ["upload 1 begin", "upload 1 expired", "upload 1 end"])
    #expect(try scratch.incident().crumbs[1].level == .warning)
  }

  @Test func workThatNobodyHoldsExpiresToo() throws {
    _ = recorder.beginBackgroundTask("download")
    _ = recorder.beginBackgroundTask("upload", expiringAfter: .milliseconds(30))
    try waitForSteps(3)
    #expect(try steps() == ["download 1 begin", "upload 2 begin", "upload 2 expired"])
  }

  @Test func timesBeyondAllReasonDoNoHarm() throws {
    recorder.beginBackgroundTask("upload", expiringAfter: .seconds(Int64.max)).end()
    recorder.beginBackgroundTask("upload", expiringAfter: .seconds(-5)).end()
    #expect(try steps().count >= 4)
  }
}
