import Breadcrumbs
import CrashCapture
import Dispatch
import ThreadAffinity
import Throwing

/// Says what failed and ends the program so that `run` sees it.
func require(_ condition: Bool, _ what: String) {
  guard !condition else { return }
  fatalError("client: \(what)")
}

dispatchPrecondition(condition: .onQueue(.main))
require(MainQueue.isCurrent, "top-level code is on the main queue")
require(client_throw_and_catch(), "a C++ exception runs destructors and is caught")
require(client_cancel_through_cxx(), "pthread_cancel runs the destructors of C++ frames")
require(client_backtrace() > 1, "the system's backtrace finds frames")

let recorder = try BreadcrumbRecorder(path: "client.log")
recorder.record("a crumb", category: "client", data: ["answer": 42], stack: .always)
require(recorder.isRecording, "a recorder that was opened records")
require(recorder.flush(), "the disk takes the log")
CrashHandler.install(recordingTo: recorder)
CrashHandler.uninstall()
recorder.close()
print("client: ok")
