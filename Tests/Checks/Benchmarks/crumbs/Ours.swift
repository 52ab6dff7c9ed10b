import BenchmarkHarness
import Breadcrumbs

/// A crumb that is a message alone.
struct Crumb: Call {
  let recorder: BreadcrumbRecorder

  @inline(__always) func callAsFunction(_ index: Int) {
    recorder.record("checkout started")
  }
}

/// A crumb whose message was made at run time.
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

/// A crumb with the stack it was left on.
struct CrumbWithStack: Call {
  let recorder: BreadcrumbRecorder

  @inline(__always) func callAsFunction(_ index: Int) {
    recorder.record("checkout started", stack: .always)
  }
}
