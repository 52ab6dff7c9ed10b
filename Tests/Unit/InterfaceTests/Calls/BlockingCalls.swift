// Every public function of BlockingCalls that takes a text, a value or a number; see Breadcrumbs.swift.
import BlockingCalls
import Breadcrumbs

let long: Int64 = 2, name = "libpq.so"
let maybe: Duration? = nil
enum Refused: Error { case once }

func report(_ recorder: BreadcrumbRecorder?) {
  do {
    try BlockingCalls.report(to: recorder)
    try BlockingCalls.report(
      on: .cooperativePool, longerThan: .milliseconds(long), to: nil, policy: [.log, .trap])
  } catch {
    print(error.description)
  }
  BlockingCalls.allow(.call("flock"), .library(name))
  BlockingCalls.stop()
}

func wait() throws(Refused) -> Int {
  BlockingCalls.allowed {}
  return try BlockingCalls.allowed { () throws(Refused) in throw .once }
}

func refused(_ recorder: BreadcrumbRecorder) throws {
  // expected-error@+3 {{value of optional type 'Duration?' must be unwrapped}}
  // expected-note@+2 {{coalesce}}
  // expected-note@+1 {{force-unwrap}}
  try BlockingCalls.report(longerThan: maybe, to: recorder)
}
