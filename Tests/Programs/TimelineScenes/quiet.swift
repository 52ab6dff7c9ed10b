import Breadcrumbs
import Dispatch
import Glibc

/// A run in which nothing went wrong.
@Sendable func quiet() {
  recorder.recordLifecycle(.didBecomeActive)
  recorder.record("opened", category: "session")
  DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(40)) {
    recorder.record("closed", category: "session")
    exit(0)
  }
}

/// A log that was opened, and nothing more.
@Sendable func empty() {
  recorder.close()
  exit(0)
}
