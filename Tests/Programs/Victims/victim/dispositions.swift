import Breadcrumbs
import CVictims
import CrashCapture
import Foundation

/// Ways that do not die, but look at what is left of the host's dispositions: 1 if it is not as
/// it was.
let dispositionWays: [String: @Sendable () -> Void] = [
  "restores-dispositions": {
    withTemporaryRecorder { recorder in
      let before = current_handlers()
      for _ in 0..<3 {
        CrashHandler.install(recordingTo: recorder)
        CrashHandler.install(recordingTo: recorder, options: CrashOptions(capturesSIGQUIT: true))
        check(current_handlers() != before, "nothing was installed")
        CrashHandler.uninstall()
        CrashHandler.uninstall()
        check(current_handlers() == before, "not all was given back")
      }
    }
  },
  "keeps-ignored": {
    withTemporaryRecorder { recorder in
      signal(SIGPIPE, SIG_IGN)
      signal(SIGFPE, SIG_IGN)
      CrashHandler.install(recordingTo: recorder)
      check(is_ignored(SIGPIPE) != 0, "SIGPIPE is no longer ignored")
      check(is_ignored(SIGFPE) != 0, "SIGFPE is no longer ignored")
      CrashHandler.uninstall()
    }
  },
  "small-stacks": {
    withTemporaryRecorder(automatic: .all) { recorder in
      handle_on_small_stacks()
      CrashHandler.install(recordingTo: recorder)
      recover_on_small_stacks()
    }
  },
  "lower-stack": {
    withTemporaryRecorder { recorder in
      CrashHandler.install(recordingTo: recorder)
      install_recovering_handler()
      CrashHandler.uninstall()
      // Ours stands before it now; what it stood before first of all was the default.
      CrashHandler.install(recordingTo: recorder)
      check(recover_on_a_lower_stack() != 0, "there are no stacks")
    }
  },
  // Whoever leaves the handler of a crash and lives on keeps nobody else's waiting: 1 after half a minute.
  "left-handler": {
    withTemporaryRecorder { recorder in
      recover_by_a_reporting_handler()
      CrashHandler.install(recordingTo: recorder)
      recover_by_long_jump(1)
      recorder.record("lives on")
      recover_on_another_thread()
    }
  },
  "large-frames": {
    handle_with_large_frames()
    withTemporaryRecorder { recorder in
      CrashHandler.install(recordingTo: recorder)
      check(recover_with_large_frames() != 0, "a fault was not recovered from")
    }
  },
  "large-frames-return": {
    handle_by_skipping()
    withTemporaryRecorder { recorder in
      CrashHandler.install(recordingTo: recorder)
      check(return_from_large_frames() != 0, "a fault was not recovered from, or changed registers")
    }
  },
  "maps-of-threads": count_maps_of_threads,
  "keeps-later-handler": {
    withTemporaryRecorder { recorder in
      CrashHandler.install(recordingTo: recorder)
      install_recovering_handler()
      CrashHandler.uninstall()
      check(has_recovering_handler() != 0, "a handler that came later was removed")
    }
  },
]

private func withTemporaryRecorder(
  automatic: AutomaticEvents = [], _ body: (BreadcrumbRecorder) -> Void
) {
  let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("dispositions-\(getpid()).log").path
  guard let recorder = try? BreadcrumbRecorder(path: path, automatic: automatic) else { exit(2) }
  body(recorder)
  recorder.close()
  unlink(path)
}

private func check(_ holds: Bool, _ message: String) {
  guard !holds else { return }
  print(message)
  exit(1)
}
