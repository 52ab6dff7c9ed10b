import IncidentModel
import CLogFormat

/// Classifies a function by its name and module.
struct FrameClassifier: Sendable {
  var patterns: UIPatterns

  /// Returns the role of a function.
  ///
  /// - Parameters:
  ///   - function: The demangled name.
  ///   - modules: The Swift module and the image, as far as they are known.
  ///   - source: The source file; nil if unknown.
  func role(function name: String, modules: [String], source: String? = nil) -> Frame.Role {
    let function = readableFunction(name)
    if let framework = patterns.framework(function: function, modules: modules) {
      return .ui(framework)
    }
    if modules.contains(where: { ms_own_module($0) }) { return .check }
    if modules.contains(where: { ms_own_adapter($0) }) { return .library }
    let folders = source.map { $0.split(separator: "/").dropLast() } ?? []
    if folders.contains(where: { ms_own_folder(String($0)) }) { return .runtime }
    if ms_own_interposer(function) { return .runtime }
    if Self.checks.contains(where: function.hasPrefix) { return .check }
    if Self.drains.contains(where: function.hasPrefix) { return .drain }
    if Self.thunks.contains(where: function.hasPrefix) { return .runtime }
    // A macro wrote it: `@Test` writes a function that calls the test.
    if name.contains("$s"), name.contains("fMu_") { return .runtime }
    // SwiftPM keeps the sources of dependencies in `checkouts`.
    if folders.contains("checkouts") || modules.contains(where: isLibrary) { return .library }
    if modules.contains(where: Self.isRuntime) { return .runtime }
    return Self.runtimeFunctions.contains(where: function.hasPrefix) ? .runtime : .code
  }

  private static let checks = [
    "_dispatch_assert_queue_fail", "dispatch_assert_queue", "_dispatchPreconditionTest",
    "dispatchPrecondition", "_swift_task_checkIsolatedSwift", "swift_task_checkIsolated",
    "swift_task_isCurrentExecutor", "_swift_task_isCurrentExecutor", "_checkExpectedExecutor",
    "swift_task_reportUnexpectedExecutor", "static MainActor.assumeIsolated",
    "MainActor.preconditionIsolated", "Actor.preconditionIsolated", "Actor.assumeIsolated",
    "static MainActor.preconditionIsolated", "EventLoop.preconditionInEventLoop",
    "EventLoop.assertInEventLoop", "SelectableEventLoop.preconditionInEventLoop",
    "SelectableEventLoop.assertInEventLoop",
  ]

  private static let drains = [
    "_dispatch_", "dispatch_", "start_thread", "clone3", "clone", "_pthread_start",
    "thread_start", "_pthread_wqthread", "start_wqthread", "swift_job_run", "swift::runJob",
    "_CFRunLoop", "CFRunLoopRun", "__CFRUNLOOP", "asan_thread_start", "__tsan_thread_start",
  ]

  private static let thunks = [
    "thunk for ", "partial apply", "reabstraction thunk", "protocol witness for ", "@objc ",
    "dispatch thunk of ", "merged ", "outlined ", "block_copy_helper", "specialized thunk for ",
    "implicit closure #", "objectdestroy", "block_destroy_helper",
  ]

  private static let runtimeFunctions = [
    "ms_", "swift_", "_swift_", "__swift", "swift::", "__DISPATCH_", "_start",
    "__libc_",
    "Swift runtime failure", "async_Main", "_Block_", "__cxa_", "std::", "__asan", "__tsan",
    "__lsan", "__ubsan", "__sanitizer", "___interceptor_", "__interceptor_", "objc_exception_throw",
    "__exceptionPreprocess",
  ]

  private func isLibrary(_ name: String) -> Bool {
    Self.libraries.contains { name.hasPrefix($0) }
  }

  private static let libraries = [
    "Foundation", "lib_Foundation", "libFoundation", "CFNetwork", "StoreKit", "NIO", "_NIO", "CNIO",
    "Hummingbird", "HTTPTypes", "ServiceLifecycle", "AsyncAlgorithms", "Logging", "libcurl",
    "libglib-2.0", "libgobject-2.0", "libgio-2.0", "libffi", "JavaScriptCore",
    "libjavascriptcoregtk", "libwebkit2gtk", "libwebkitgtk",
  ]

  /// Returns true for a module of the language runtime or of the C library.
  static func isRuntime(_ name: String) -> Bool {
    runtimes.contains(name) || runtimePrefixes.contains { name.hasPrefix($0) }
  }

  private static let runtimes: Set<String> = [
    "Swift", "_Concurrency", "Dispatch", "_StringProcessing", "Synchronization", "CoreFoundation",
    "Observation", "Combine", "Testing", "XCTest",
  ]

  private static let runtimePrefixes = [
    "libdispatch", "libswift", "libc.so", "libc-", "libpthread", "ld-linux", "libstdc++", "libgcc",
    "libBlocksRuntime", "libTesting.so", "libXCTest.so", "libsystem_", "libunwind", "libm.so",
    "dyld", "linux-vdso",
  ]
}
