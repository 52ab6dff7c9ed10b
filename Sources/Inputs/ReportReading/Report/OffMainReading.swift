import IncidentModel

/// Finds main-queue work off the main queue in a report.
///
/// An uncertain report yields no violation: silence is better than a false alarm.
enum OffMainReading {
  /// The report with the violation that its failure shows, if any.
  static func judged(_ report: CrashReport) -> CrashReport {
    guard let failure = report.failure else { return report }
    var report = report
    if report.violations.isEmpty, let violation = violation(failure, report) {
      report.violations = [violation]
    }
    let expected = expectation(failure, report) ?? failure.expected
    report.failure?.expected = expected
    return report
  }

  /// The place that a failed check expected. A check that is reported as UI work is not reported
  /// again.
  private static func expectation(
    _ failure: CrashReport.Failure, _ report: CrashReport
  ) -> String? {
    for text in failure.texts {
      if case .isolation(let expected) = Messages.meaning(of: text) { return expected }
    }
    guard report.violations.isEmpty, !isForked(failure) else { return nil }
    if isOfContext(frames(of: failure, report)) { return "queue of its context" }
    for text in failure.texts {
      let meaning = Messages.meaning(
        ofReason: text, isOwnCheck: isOwnCheck(frames(of: failure, report), report))
      if case .isolation(let expected) = meaning { return expected }
    }
    guard failure.isFatal, report.failed?.isMain != true else { return nil }
    return threadCheck(in: report).map { check in
      check.isOwn && Self.namesMain(check.name) ? "main queue" : "thread that owns the object"
    }
  }

  /// True if the name of a check names the main thread or the thread of the user interface.
  private static func namesMain(_ check: String) -> Bool {
    ["main", "ui", "edt", "dispatchthread", "gui", "fx"].contains(
      where: check.lowercased().contains)
  }

  /// True if a message requires any thread but the main one.
  private static func forbidsMain(_ failure: CrashReport.Failure) -> Bool {
    failure.texts.contains { ThreadClaim(ThreadClaim.reason(in: $0))?.required == .other }
  }

  /// The function that checked its thread when the process died; nil if the stack has no such
  /// function, or if a message requires a thread other than the main one.
  private static func threadCheck(in report: CrashReport) -> (name: String, isOwn: Bool)? {
    guard let failure = report.failure, !forbidsMain(failure) else { return nil }
    let reading = FrameReading(ownImages: report.ownImages)
    for frame in frames(of: failure, report).prefix(24) {
      let name = Symbol(frame.symbol, image: frame.image).readable
      if ThreadCheckName.matches(name) { return (name, reading.isOwn(frame)) }
      if reading.isOwn(frame) { return nil }
    }
    return nil
  }

  private static func violation(
    _ failure: CrashReport.Failure, _ report: CrashReport
  ) -> CrashReport.Violation? {
    let failed = report.failed
    guard failed?.isMain != true, !isForked(failure) else { return nil }
    let frames = frames(of: failure, report)
    let isOwnCheck = isOwnCheck(frames, report)
    // A program's own error messages may mention anything, so only whole messages count if the process
    // continued.
    for text in failure.texts where failure.isFatal || Messages.isWhole(text) {
      let meaning =
        failure.isFatal
        ? Messages.meaning(ofReason: text, isOwnCheck: isOwnCheck) : Messages.meaning(of: text)
      if case .offMainUI(var api) = meaning {
        if api.isEmpty { api = libraryCall(frames, report) ?? "" }
        return CrashReport.Violation(
          api: api, thread: failure.thread ?? CrashReport.unknownThread, frames: frames)
      }
    }
    if failure.isFatal, failure.texts.contains(where: { $0.contains(Self.looper) }),
      let call = libraryCall(frames, report), Self.androidUI.contains(where: call.hasPrefix)
    {
      return CrashReport.Violation(
        api: call, thread: failure.thread ?? CrashReport.unknownThread, frames: frames)
    }
    let isTold = failure.texts.contains {
      Messages.meaning(ofReason: $0, isOwnCheck: isOwnCheck) != nil
    }
    if failure.isFatal, !isTold, let check = threadCheck(in: report), !check.isOwn,
      frames.contains(where: { Toolkit(function: $0.symbol, module: $0.image)?.isOfViews == true })
    {
      return CrashReport.Violation(
        api: libraryCall(frames, report) ?? "", thread: failure.thread ?? CrashReport.unknownThread,
        frames: frames)
    }
    if failure.isFatal, !isTold, failed?.isMain == false, let call = widgetCall(frames, report) {
      return CrashReport.Violation(
        api: call, thread: failure.thread ?? CrashReport.unknownThread, frames: frames)
    }
    if failure.isFatal, !isTold, isWebLock(frames, failure) || isTextInput(frames) {
      let call = frames.first { frame in
        ["-[UI", "-[WK", "-[NS"].contains(where: frame.symbol.hasPrefix)
      }
      return CrashReport.Violation(
        api: call?.symbol ?? "WebThreadLock", thread: failure.thread ?? CrashReport.unknownThread,
        frames: frames)
    }
    if failure.isFatal, let commit = lateCommit(frames, report) {
      return CrashReport.Violation(
        api: commit, thread: failure.thread ?? CrashReport.unknownThread, frames: frames)
    }
    guard let failed, failed.isMain == false else { return nil }
    let isSaid =
      failure.texts.contains(where: ThreadClaim.requiresMain)
      || frames.contains { $0.symbol.contains(autoLayoutCheck) }
    guard let call = isSaid ? userInterfaceCall(frames, report) : mainOnlyCall(frames, report)
    else {
      return nil
    }
    return CrashReport.Violation(api: call, thread: failed.number, frames: frames)
  }

  /// True if WebKit ended the process because its lock was requested off the main and web threads.
  /// WebKit then writes to a reserved address.
  private static func isWebLock(
    _ frames: [CrashReport.Frame], _ failure: CrashReport.Failure
  ) -> Bool {
    let isLock = frames.prefix(4).contains { $0.symbol.contains("WebTryThreadLock") }
    return isLock
      && (failure.address == 0xbbad_beef
        || failure.texts.contains { $0.lowercased().contains("bbadbeef") })
  }

  /// True if Core Data ended the process because a managed object context was used off its queue.
  private static func isOfContext(_ frames: [CrashReport.Frame]) -> Bool {
    frames.prefix(8).contains { frame in
      frame.symbol.contains("__Multithreading_Violation_AllThatIsLeftToUsIsHonor__")
        || frame.symbol.hasPrefix("_PFAssertSafeMultiThreadedAccess")
    }
  }

  /// True if macOS' text input ended the process because it was called off the main thread.
  private static func isTextInput(_ frames: [CrashReport.Frame]) -> Bool {
    frames.prefix(4).contains { $0.symbol.contains("_Multithreading_Violation_") }
      && !isOfContext(frames)
  }

  private static func frames(
    of failure: CrashReport.Failure, _ report: CrashReport
  ) -> [CrashReport.Frame] {
    failure.thrown.isEmpty ? report.failed?.frames ?? [] : failure.thrown
  }

  /// True if the program's own code, not a library, made the failed check.
  private static func isOwnCheck(_ frames: [CrashReport.Frame], _ report: CrashReport) -> Bool {
    let thrower = frames.first { frame in !assertions.contains(where: frame.symbol.hasPrefix) }
    return thrower.map(FrameReading(ownImages: report.ownImages).isOwn) ?? false
  }

  /// Functions that throw or end the process on behalf of a check.
  private static let assertions = [
    "System.Diagnostics.Debug", "System.Diagnostics.Trace.", "System.Environment.FailFast",
    "kotlin.Preconditions",
    "com.google.common.base.Preconditions.", "java.util.Objects.", "org.junit.", "__pthread_kill",
    "org.eclipse.core.runtime.Assert.", "org.springframework.util.Assert.",
    "kotlin.PreconditionsKt",
    "UnityEngine.Assertions.", "UnityEngine.Debug.", "NUnit.", "Xunit.",
    "androidx.core.util.Preconditions.",
    "com.intellij.openapi.diagnostic.Logger.", "com.android.internal.util.Preconditions.",
    "__GI_",
    "raise", "abort", "__assert", "gsignal",
  ]

  /// The function by which Auto Layout checks its calling thread.
  private static let autoLayoutCheck = "_AssertAutoLayoutOnAllowedThreadsOnly"

  /// The widget function in which a thread other than the main one died, if no own code is on the
  /// stack.
  /// Such toolkits have no locks, so no other thread may call them.
  private static func widgetCall(
    _ frames: [CrashReport.Frame], _ report: CrashReport
  ) -> String? {
    let reading = FrameReading(ownImages: report.ownImages)
    guard !frames.contains(where: reading.isOwn) else { return nil }
    let isWidget = { (frame: CrashReport.Frame) in widgets.contains(where: frame.symbol.hasPrefix) }
    // The widget function may have called any library.
    return frames.prefix(8).first(where: isWidget)?.symbol
  }

  private static let widgets = [
    "gtk_widget_", "gtk_window_", "gtk_label_", "gtk_container_", "gtk_picture_", "gtk_image_",
    "gtk_text_view_", "gtk_tree_view_", "gtk_list_", "gtk_button_", "gtk_entry_", "gtk_stack_",
    "QWidget::", "QWidgetPrivate::", "QLayout::", "QAbstractItemView::", "QLabel::",
    "QBackingStore::",
    "QGraphicsScene::", "wxWindow::", "wxWindowBase::", "wxGauge::", "wxTextCtrl::", "wxListCtrl::",
  ]

  /// The work of a Core Animation commit off the main thread without the program's own code on the stack; nil
  /// for other stacks.
  private static func lateCommit(
    _ frames: [CrashReport.Frame], _ report: CrashReport
  ) -> String? {
    let named = frames.map { frame in
      (function: Symbol(frame.symbol, image: frame.image).readable, image: frame.image)
    }
    let names = [report.failed?.name, report.failed?.queue].compactMap(\.self)
    guard !names.contains(where: LateCommit.isByRight) else { return nil }
    guard let commit = LateCommit(named), commit.isLayout || commit.trigger == .threadEnd else {
      return nil
    }
    let reading = FrameReading(ownImages: report.ownImages)
    guard !frames[..<commit.frame].contains(where: reading.isOwn) else { return nil }
    return named.first { $0.function.hasPrefix("-[UI") || $0.function.hasPrefix("-[NSView") }?
      .function
      ?? "CA::Transaction::commit()"
  }

  /// The function of a UI framework that the program's own code called on this stack.
  private static func userInterfaceCall(
    _ frames: [CrashReport.Frame], _ report: CrashReport
  ) -> String? {
    let reading = FrameReading(ownImages: report.ownImages)
    // Own code with a hidden name can be the caller, too.
    let isProgram = { report.ownImages.contains($0.image) || reading.isOwn($0) }
    guard let own = frames.firstIndex(where: isProgram), own > 0,
      userInterfaces.contains(frames[own - 1].image)
    else { return nil }
    return frames[own - 1].symbol
  }

  /// The library function that own code called, if functions name their libraries; without own code
  /// on the stack, the view's function.
  private static func libraryCall(
    _ frames: [CrashReport.Frame], _ report: CrashReport
  ) -> String? {
    let reading = FrameReading(ownImages: report.ownImages)
    guard let own = frames.firstIndex(where: reading.isOwn) else {
      return frames.prefix { frame in
        androidUI.contains(where: frame.symbol.hasPrefix) || frame.symbol.contains(".widget.")
      }.last?.symbol
    }
    guard own > 0, frames[own - 1].isManaged || frames[own - 1].file?.hasSuffix(".py") == true,
      !assertions.contains(where: frames[own - 1].symbol.hasPrefix)
    else { return nil }
    return frames[own - 1].symbol
  }

  /// Android's message that a thread has no looper, which UI and timers need.
  private static let looper = "has not called Looper.prepare()"
  private static let androidUI = [
    "android.widget.", "android.view.", "android.app.", "android.webkit.",
  ]

  private static let userInterfaces: Set<String> = [
    "UIKit", "UIKitCore", "AppKit", "SwiftUI", "SwiftUICore", "WebKit", "WebCore", "QuartzCore",
    "CoreAutoLayout", "MapKit",
  ]

  /// The function of a view, window or controller that own code called on this stack. Many other UI
  /// framework functions, such as images, fonts and colours, are allowed on any thread.
  static func mainOnlyCall(
    _ frames: [CrashReport.Frame], _ report: CrashReport
  ) -> String? {
    let reading = FrameReading(ownImages: report.ownImages)
    guard let own = frames.firstIndex(where: reading.isOwn), own > 0 else { return nil }
    let call = frames[own - 1].symbol
    guard call.hasPrefix("-[") || call.hasPrefix("+[") else { return nil }
    let words = call.dropFirst(2).dropLast().split(separator: " ")
    guard words.count == 2, let type = words[0].split(separator: "(").first,
      mainOnlyTypes.contains(String(type)), !endings.contains(String(words[1]))
    else { return nil }
    return call
  }

  /// The own function that view code called on this stack for layout, drawing or rows. Such a
  /// function reads state that only the main thread may change.
  static func viewWork(_ frames: [CrashReport.Frame], _ report: CrashReport) -> String? {
    let reading = FrameReading(ownImages: report.ownImages)
    let shown = frames.filter { !$0.symbol.hasPrefix("@objc ") }
    for (own, caller) in zip(shown, shown.dropFirst())
    where reading.isOwn(own) && userInterfaces.contains(caller.image) {
      let name = own.symbol.trimmedOf("]")
      if viewFunctions.contains(where: name.hasSuffix) { return own.symbol }
    }
    return nil
  }

  /// The functions that views and their controllers override or implement.
  private static let viewFunctions = [
    ".layoutSubviews()", " layoutSubviews", ".draw(_:)", " drawRect:", ".layout()", " layout",
    ".updateConstraints()", " updateConstraints", ".body.getter", ".viewDidLoad()", " viewDidLoad",
    ".viewWillAppear(_:)", ".viewDidLayoutSubviews()", ".viewWillLayoutSubviews()",
    ".updateUIView(_:context:)", ".updateNSView(_:context:)", "cellForRowAtIndexPath:",
    ".tableView(_:cellForRowAt:)", ".tableView(_:numberOfRowsInSection:)",
    ".windowDidResize(_:)", " windowDidResize:", ".windowDidMove(_:)", " windowDidMove:",
    ".windowWillClose(_:)", " windowWillClose:", ".scrollViewDidScroll(_:)",
    " scrollViewDidScroll:",
    ".collectionView(_:cellForItemAt:)", ".collectionView(_:numberOfItemsInSection:)",
  ]

  private static let mainOnlyTypes: Set<String> = [
    "UIView", "UILabel", "UIButton", "UIControl", "UISwitch", "UISlider", "UITableView",
    "UITableViewCell", "UICollectionView", "UICollectionViewCell", "UIScrollView", "UIStackView",
    "UITextField", "UITextView", "UISearchBar", "UIImageView", "UIWindow", "UIViewController",
    "UINavigationController", "UITabBarController", "UIAlertController", "UITabBar",
    "UINavigationBar", "NSLayoutConstraint", "NSView", "NSWindow", "NSTextField", "NSTableView",
    "NSOutlineView", "NSButton", "NSViewController", "NSWindowController", "WKWebView",
  ]

  /// Methods that release an object. They show no violation, because any thread may release last.
  private static let endings: Set<String> = ["dealloc", ".cxx_destruct", "release", "retain"]

  /// A child that was forked from the main thread fails the main-thread checks without a violation.
  private static func isForked(_ failure: CrashReport.Failure) -> Bool {
    failure.texts.contains { $0.contains("child side of fork") }
  }
}
