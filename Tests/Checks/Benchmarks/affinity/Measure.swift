import BenchmarkHarness
import Dispatch

/// A piece of code to time.
struct Subject {
  let name: String
  /// Runs the given code in the right place, and returns after it.
  var enter: (@escaping () -> Void) -> Void = { $0() }
  let body: () -> Void
}

/// Returns nanoseconds per call for each subject and round. The subjects alternate, so that a change of the machine's
/// speed affects all of them.
func measure(
  _ subjects: [Subject], rounds: Int = Settings.rounds(15), calls: Int = 200_000
) -> [String: [Double]] {
  var times = [String: [Double]]()
  for round in 0...rounds {
    for subject in subjects {
      subject.enter {
        let start = DispatchTime.now().uptimeNanoseconds
        for _ in 0..<calls { subject.body() }
        let elapsed = DispatchTime.now().uptimeNanoseconds - start
        // The first round is a warm-up.
        if round > 0 { times[subject.name, default: []].append(Double(elapsed) / Double(calls)) }
      }
    }
  }
  return times
}
