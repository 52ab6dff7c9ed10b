import IncidentModel

/// Decides whether the stacks of a report show a blocked main thread.
enum HangReading {
  /// The report without a hang that its stacks do not confirm: a main thread in its event loop is
  /// idle.
  static func judged(_ report: CrashReport) -> CrashReport {
    guard let hang = report.hang else { return report }
    var report = report
    guard let thread = report.thread(hang.thread), isHeld(thread, hang, report) else {
      report.hang = nil
      if hang.isTold { report.unexplainedHang = hang.lasted }
      return report
    }
    return report
  }

  /// True if the main thread is blocked. If the report states the hang, own code on that thread
  /// suffices; in a snapshot of threads, the main thread must also wait for another thread.
  private static func isHeld(
    _ thread: CrashReport.Thread, _ hang: CrashReport.Hang, _ report: CrashReport
  ) -> Bool {
    if thread.waitsFor != nil { return true }
    let reading = FrameReading(ownImages: report.ownImages)
    guard let own = thread.frames.firstIndex(where: reading.isOwn) else {
      return hang.isTold && isAtNamelessWork(thread, reading)
    }
    let inner = thread.frames[..<own].map(\.symbol)
    if inner.contains(where: WaitFunctions.isLoop) { return false }
    if hang.isTold { return true }
    // The main thread of a command line tool may wait for the tool's end; only a wait under an
    // event loop is a hang.
    let outer = thread.frames[own...].map(\.symbol)
    // In a sample, the main thread that slept in one call of the kernel all the time is held, too.
    let isAsleep = hang.isWhole && thread.frames[0].image.hasPrefix("libsystem_kernel") && own > 0
    return (isAsleep || inner.contains(where: WaitFunctions.isWait))
      && outer.contains(where: WaitFunctions.isService)
  }

  /// True if the program's unnamed code runs on the main thread under an event loop. Unnamed code
  /// without an event loop above it is the program's entry.
  private static func isAtNamelessWork(
    _ thread: CrashReport.Thread, _ reading: FrameReading
  ) -> Bool {
    guard let own = thread.frames.firstIndex(where: reading.isProgram) else { return false }
    let isRunner = { (frame: CrashReport.Frame) in runners.contains(frame.image) }
    return !thread.frames[..<own].contains(where: isRunner)
      && thread.frames[own...].contains(where: isRunner)
  }

  private static let runners: Set<String> = [
    "CoreFoundation", "UIKitCore", "UIKit", "AppKit", "HIToolbox", "GraphicsServices", "SwiftUI",
  ]
}
