import CrashAnalysis
import IncidentModel
import ReportTrials
import Testing

@testable import ReportReading

/// Which crumbs and threads findings name where the code that caused a fault has left the stack.
@Suite struct CandidateTests {
  private func candidates(in text: String, named name: String = "a.txt") throws -> [String] {
    let reading = ReportReading(bytes: Array(text.utf8), name: name)
    let finding = try #require(reading.entries.map(\.finding).first)
    return finding.evidence.map(\.text).filter { $0.hasPrefix("candidate: ") }
  }

  private let stack = """
    \tat com.intellij.util.concurrency.ThreadingAssertions.assertEventDispatchThread(ThreadingAssertions.java:77)
    \tat com.intellij.openapi.editor.impl.EditorImpl.release(EditorImpl.java:1094)
    \tat kotlinx.coroutines.JobSupport.notifyCompletion(JobSupport.kt:1549)
    \tat kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.run(CoroutineScheduler.kt:693)
    """

  @Test func ofALogTheLineThatNamesTheThreadComesAlone() throws {
    let found = try candidates(
      in: """
        2024-09-18 11:32:05,660 [ 882260]   INFO - #org.moewe.Preview - scope started (AWT-EventQueue-0)
        2024-09-18 11:32:07,912 [ 884512]   INFO - #org.moewe.Preview - query changed, cancelling scope (Moewe-worker-9)
        2024-09-18 11:32:08,100 [ 884700]   INFO - #org.moewe.Other - saved (Moewe-worker-91)
        2024-09-18 11:32:08,420 [ 885020] SEVERE - #c.i.u.c.ThreadingAssertions - Access is allowed from Event Dispatch Thread (EDT) only
        com.intellij.openapi.diagnostic.RuntimeExceptionWithAttachments: Access is allowed from Event Dispatch Thread (EDT) only
        Current thread: Thread[#312,Moewe-worker-9,5,main] 2038471234 (EventQueue.isDispatchThread()=false)
        SystemEventQueueThread: Thread[#57,AWT-EventQueue-0,6,main] 1298374651
        \(stack)
        """)
    #expect(found.count == 1)
    #expect(found.first?.contains("cancelling scope (Moewe-worker-9)") == true)
  }

  @Test func aHeadsDateIsNoCandidateAndTheLogBelowIsRead() throws {
    let found = try candidates(
      in: """
        Date:          12.03.2024 16:02:44
        Source:        .NET Runtime
        Exception Info: System.InvalidOperationException: Cross-thread operation not valid: Control 'rowGrid' accessed from a thread other than the thread it was created on.
           at System.Windows.Forms.Control.get_Handle()
           at System.Windows.Forms.DataGridView.OnGlobalAutoSize()
           at Microsoft.Win32.SystemEvents.WindowThreadProc()
           at System.Threading.Thread.StartCallback()

        moewe.log:

        16:00:12.004 [ui:1]       MainForm shown
        16:01:51.120 [import:17]  row grid built for the preview
        16:01:58.902 [import:17]  import done, 2210 rows
        """)
    #expect(found.first?.contains("row grid built") == true)
    #expect(!found.contains { $0.contains("12.03.2024") || $0.contains("MainForm") })
  }

  @Test func aRecorderOfCrashesIsNoCandidate() throws {
    let found = try candidates(
      in: """
        # Crashlytics - plaintext stacktrace
        # Platform: apple
        # Bundle Identifier: org.moewe.ios
        # Logs
        # 07:41:18.044  I  save: begin (org.moewe.save)
        # 07:41:21.630  I  save: written, closing editor (org.moewe.save)
        # 07:41:21.911  I  screen_view Inbox

        Fatal Exception: NSInternalInconsistencyException
        -[UIKeyboardTaskQueue waitUntilAllTasksAreFinished] may only be called from the main thread.
        0  CoreFoundation                 0x3c2d68 __exceptionPreprocess
        1  libobjc.A.dylib                0x1afb4 objc_exception_throw
        2  UIKitCore                      0x10798c0 -[UIKeyboardTaskQueue waitUntilAllTasksAreFinished]
        3  UIKitCore                      0x860b70 -[UIView dealloc]
        4  libsystem_pthread.dylib        0x38988 _pthread_wqthread

        Crashed: org.moewe.save
        0  libsystem_kernel.dylib         0xad70 __pthread_kill + 8
        1  Moewe                          0xb57c4 FIRCLSTerminateHandler() + 452 (FIRCLSException.mm:452)
        2  libdispatch.dylib              0x1590 _dispatch_client_callout + 40

        com.google.firebase.crashlytics.MachExceptionServer
        0  Moewe                          0x105748 FIRCLSProcessRecordAllThreads + 376 (FIRCLSProcess.c:376)
        1  libsystem_pthread.dylib        0x9dd8 _pthread_start + 136
        """)
    #expect(found.count == 2)
    #expect(found.first?.contains("closing editor (org.moewe.save)") == true)
  }

  @Test func webKitsOwnTrapIsUIOffTheMainThread() throws {
    let text = """
      Incident Identifier: 2FADA117-081C-52BB-937F-1CF3791332C7
      Process:             Moewe [698]
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Subtype: KERN_INVALID_ADDRESS at ADDRESS
      Triggered by Thread:  1

      Thread 0 name:  Dispatch queue: com.apple.main-thread
      Thread 0:
      0   libsystem_kernel.dylib        0x000000018714ead8 mach_msg_trap + 8
      1   Moewe                         0x00000001000ca850 main + 124

      Thread 1 name:  Dispatch queue: org.moewe.pictures
      Thread 1 Crashed:
      0   WebCore                       0x0000000185404e28 _WebTryThreadLock(bool) + 408
      1   WebCore                       0x00000001852d1940 WebThreadLock + 88
      2   UIKit                         0x0000000192685b00 -[UIWebView dealloc] + 60
      3   libdispatch.dylib             0x0000000183ed0a88 _dispatch_worker_thread3 + 120
      4   libsystem_pthread.dylib       0x0000000182988dd0 _pthread_wqthread + 1096
      """
    let accused = { (address: String) in
      ReportReading(bytes: Array(text.replacing("ADDRESS", with: address).utf8), name: "a.crash")
        .accusations
    }
    #expect(accused("0x00000000bbadbeef") == ["off-main-ui"])
    #expect(accused("0x0000000000000010").isEmpty)
  }

  @Test func ofACoreTheMainThreadIsTheOldestAndTheCheckIsInTheSource() throws {
    let text = """
      Program terminated with signal SIGABRT, Aborted.
      #0  __pthread_kill_implementation (threadid=1, signo=6) at ./nptl/pthread_kill.c:44
      (gdb) frame 2
      #2  0x00007f3a6b0a2c11 in WebKit::WebPageProxy::close (this=0x7f3a3c0b2000) at ./Source/WebKit/UIProcess/WebPageProxy.cpp:1461
      1461\t    RELEASE_ASSERT(RunLoop::isMain());
      (gdb) thread apply all bt

      Thread 3 (Thread 0x7f3a423ff6c0 (LWP 21066) "pool"):
      #0  0x000055d0bf5f4c80 in mw_page_append (page=0x7f3a3400a5c0) at ../src/mw-page.c:212
      #1  0x00007f3a65f147dc in clone3 () at ../sysdeps/unix/sysv/linux/x86_64/clone3.S:81

      Thread 2 (Thread 0x7f3a5e7b0b80 (LWP 21044) "moewe"):
      #0  0x00007f3a65f0a9cf in __GI___poll (fds=0x55d0c1f3a2e0) at ../sysdeps/unix/sysv/linux/poll.c:29
      #1  0x000055d0bf5a8f32 in main (argc=3, argv=0x7ffd1a0b9f58) at ../src/main.c:57

      Thread 1 (Thread 0x7f3a41bfe6c0 (LWP 21071) "pool"):
      #0  __pthread_kill_implementation (threadid=1, signo=6) at ./nptl/pthread_kill.c:44
      #1  0x00007f3a65e31472 in __GI_abort () at ./stdlib/abort.c:79
      #2  0x00007f3a6b0a2c11 in WebKit::WebPageProxy::close (this=0x7f3a3c0b2000) at ./Source/WebKit/UIProcess/WebPageProxy.cpp:1461
      #3  0x00007f3a668232ac in g_task_finalize (object=0x55d0c2b7e3e0) at ../../../gio/gtask.c:690
      #4  0x00007f3a65f147dc in clone3 () at ../sysdeps/unix/sysv/linux/x86_64/clone3.S:81
      """
    let reading = ReportReading(bytes: Array(text.utf8), name: "a.txt")
    let finding = try #require(reading.entries.map(\.finding).first)
    #expect(finding.title.contains("off the main thread"))
    #expect(finding.culprit == nil)
    #expect(finding.evidence.contains { $0.place?.function == "mw_page_append" })
  }
}
