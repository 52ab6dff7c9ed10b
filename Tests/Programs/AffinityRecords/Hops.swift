import Breadcrumbs
import Dispatch
import Foundation
import RealCases
import ThreadAffinity

/// The function that sends a callback to UI code without asking where it is.
@inline(never)
func offendingCallback(through hop: MainHop<Model>, _ done: @escaping @Sendable () -> Void) {
  hop.send { _ in }
  done()
}

func observe(_ real: RealCase, _ recorder: BreadcrumbRecorder) throws {
  let model = Model()
  let hop = MainHop(model, "observed", delivery: .observe)
  let done = DispatchSemaphore(value: 0)
  let kept = try real.start { offendingCallback(through: hop) { done.signal() } }
  done.wait()
  withExtendedLifetime((kept, model)) { recorder.close() }
}

func hop(_ real: RealCase, _ recorder: BreadcrumbRecorder) throws -> Never {
  let model = Model()
  let hop = MainHop(model, "hopped")
  let kept = try real.start {
    hop.send { _ in
      expectMainQueue("in the delivery")
      recorder.close()
      exit(0)
    }
  }
  withExtendedLifetime((kept, model)) { dispatchMain() }
}

/// Ends the process while eight threads send and the main queue delivers.
func endAmongHops(_ recorder: BreadcrumbRecorder) -> Never {
  let model = Model()
  let hop = MainHop(model, "at the end")
  for _ in 0..<8 {
    Thread.detachNewThread { while true { hop.send { _ in } } }
  }
  DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(20)) {
    withExtendedLifetime(model) {}
    exit(7)
  }
  dispatchMain()
}
