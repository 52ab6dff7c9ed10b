import BenchmarkHarness
import Dispatch

/// One thing that is timed.
struct Subject {
  let name: String
  /// Goes where it is timed, runs what it is given, and returns when that is done.
  var enter: (@escaping () -> Void) -> Void = { $0() }
  let body: () -> Void
}

/// Nanoseconds a call of each subject in each round, in turn, so that a drift of the machine meets all.
func measure(
  _ subjects: [Subject], rounds: Int = 15, calls: Int = 200_000
) -> [String: [Double]] {
  var times = [String: [Double]]()
  for round in 0...rounds {
    for subject in subjects {
      subject.enter {
        let start = DispatchTime.now().uptimeNanoseconds
        for _ in 0..<calls { subject.body() }
        let elapsed = DispatchTime.now().uptimeNanoseconds - start
        // The first round warms up.
        if round > 0 { times[subject.name, default: []].append(Double(elapsed) / Double(calls)) }
      }
    }
  }
  return times
}
