import BenchmarkHarness
import Breadcrumbs

/// A crumb with only a fixed message.
struct Crumb: Call {
  let recorder: BreadcrumbRecorder

  @inline(__always) func callAsFunction(_ index: Int) {
    recorder.record("checkout started")
  }
}

/// A crumb whose message was created at run time.
struct CrumbWithText: Call {
  let recorder: BreadcrumbRecorder
  let text: String

  @inline(__always) func callAsFunction(_ index: Int) {
    recorder.record(text)
  }
}

/// A crumb with three keys and values.
struct CrumbWithValues: Call {
  let recorder: BreadcrumbRecorder

  @inline(__always) func callAsFunction(_ index: Int) {
    recorder.record(
      "payment sent", level: .info, category: "net",
      data: ["id": .integer(index), "ok": true, "peer": "a"])
  }
}

/// A crumb with the current stack.
struct CrumbWithStack: Call {
  let recorder: BreadcrumbRecorder

  @inline(__always) func callAsFunction(_ index: Int) {
    recorder.record("checkout started", stack: .always)
  }
}
