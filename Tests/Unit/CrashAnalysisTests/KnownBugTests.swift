import IncidentModel
import Testing

@testable import CrashAnalysis

/// Crashes whose frames prove a bug of the toolchain, and crashes that resemble them.
@Suite struct KnownBugTests {
  private func finding(_ signal: Int, _ stack: [String]) throws -> Finding {
    let run = MadeUpRun(.crash(signal: signal, .certain))
    run.die(of: signal, [run.thread(1, stack)])
    return try #require(try run.finding("crash-cause"))
  }

  private static let objectiveC = [
    "libdispatch.dylib!_dispatch_assert_queue_fail", "libdispatch.dylib!dispatch_assert_queue",
    "libswift_Concurrency.dylib!_swift_task_checkIsolatedSwift",
    "libswift_Concurrency.dylib!swift_task_isCurrentExecutorWithFlagsImpl",
    "libswift_Concurrency.dylib!_checkExpectedExecutor", "@objc Store.__deallocating_deinit",
    "libobjc.A.dylib!objc_release", "Feed.reload()",
  ]
  private static let taskLocal = [
    "libsystem_kernel.dylib!__pthread_kill", "libsystem_c.dylib!abort",
    "libsystem_malloc.dylib!___BUG_IN_CLIENT_OF_LIBMALLOC_POINTER_BEING_FREED_WAS_NOT_ALLOCATED",
    "libswift_Concurrency.dylib!swift::TaskLocal::StopLookupScope::~StopLookupScope()",
    "libswift_Concurrency.dylib!swift_task_deinitOnExecutorImpl(void*)",
    "Store.__deallocating_deinit", "libswiftCore.dylib!_swift_release_dealloc", "Feed.reload()",
  ]
  private static let priority = [
    "libdispatch.dylib!dispatch_async_swift_job",
    "libswift_Concurrency.dylib!swift_task_enqueueGlobalImpl(swift::Job*)", "Feed.reload()",
  ]

  @Test(arguments: [
    (4, objectiveC, [85500]), (6, taskLocal, [85663, 87316]), (11, priority, [88584]),
  ])
  func framesProveTheBug(signal: Int, stack: [String], issues: [Int]) throws {
    let finding = try finding(signal, stack)
    #expect(finding.title.hasPrefix("A known bug of Swift ended the process"))
    let evidence = finding.evidence.map(\.text).joined(separator: "\n")
    for issue in issues { #expect(evidence.contains("#\(issue)"), "\(evidence)") }
    #expect(!finding.fix.text.isEmpty)
  }

  @Test func patternOfFreedObjectsIsNamed() throws {
    let told = { (address: UInt64) in
      let run = MadeUpRun(.crash(signal: 11, .certain))
      run.die(
        of: 11, address: address, [run.thread(1, ["libswiftCore.so!swift_retain", "Desk.close()"])])
      return try #require(try run.finding("crash-cause")).evidence.contains {
        $0.text.contains("writes into freed objects")
      }
    }
    #expect(try told(0x08d0_eef4_ea1d_adab))
    #expect(try told(0x00d0_eef4_ea1d_adbb))
    #expect(try !told(0x08d0_eef4_ea2d_adab))
  }

  @Test(arguments: [
    // A check in a deinit that no thunk of Objective-C calls.
    (4, objectiveC.map { $0.replacing("@objc ", with: "") }),
    // A method that Objective-C calls on the wrong queue.
    (4, objectiveC.map { $0.replacing("__deallocating_deinit", with: "close()") }),
    // A method that Objective-C calls on the wrong queue, during a deinit.
    (
      4,
      objectiveC.map { $0.replacing("__deallocating_deinit", with: "close()") }
        + ["Desk.__deallocating_deinit"]
    ),
    // A check in the source of a deinit.
    (
      4,
      [
        "libdispatch.dylib!dispatch_assert_queue",
        "libswift_Concurrency.dylib!_swift_task_checkIsolatedSwift",
        "libswift_Concurrency.dylib!static MainActor.assumeIsolated", "Store.deinit",
        "@objc Store.__deallocating_deinit", "libobjc.A.dylib!objc_release", "Feed.reload()",
      ]
    ),
    // A check at the entry of a method that a deinit calls.
    (
      4,
      [
        "libswift_Concurrency.dylib!_swift_task_checkIsolatedSwift",
        "libswift_Concurrency.dylib!_checkExpectedExecutor", "Store.close()",
        "@objc Store.__deallocating_deinit", "libobjc.A.dylib!objc_release", "Feed.reload()",
      ]
    ),
    // Memory that the program itself frees twice in a deinit.
    (6, taskLocal.filter { !$0.contains("StopLookupScope") }),
    // A queue that the program itself uses after it was freed.
    (11, ["libdispatch.dylib!dispatch_async", "Feed.reload()"]),
  ])
  func otherCrashesBlameTheProgram(signal: Int, stack: [String]) throws {
    #expect(!(try finding(signal, stack)).title.contains("known bug"))
  }
}
