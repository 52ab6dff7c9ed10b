import IncidentModel

/// Finds whether the stacks of a report show that its main thread was held.
enum HangReading {
  /// The report without a hang that its stacks do not show: a main thread that waits for events is free.
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

  /// Who says that a main thread hung need not show more than code of the program's own on it; in a
  /// picture of threads, it has to wait for another.
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
    // A tool's main thread may wait for its end, and was never to serve anybody.
    let outer = thread.frames[own...].map(\.symbol)
    return inner.contains(where: WaitFunctions.isWait)
      && outer.contains(where: WaitFunctions.isService)
  }

  /// Whether code of the program's own that has no names was given work by what runs a main thread, and
  /// is at it: it runs no loop of its own. What nothing gave it is the program's entry.
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
