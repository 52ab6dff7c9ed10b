import Dispatch

/// One thing that is timed.
struct Subject {
  let name: String
  let body: () -> Void
}

/// Nanoseconds a call of each subject, interleaved so that a drift of the machine meets them all.
///
/// - Returns: For each subject the least of its rounds, and the spread: the median over the least.
func measure(
  _ subjects: [Subject], rounds: Int = 15, calls: Int = 200_000
) -> [String: (nanoseconds: Double, spread: Double)] {
  var times = [String: [Double]]()
  for _ in 0..<rounds {
    for subject in subjects {
      let start = DispatchTime.now().uptimeNanoseconds
      for _ in 0..<calls { subject.body() }
      let elapsed = DispatchTime.now().uptimeNanoseconds - start
      times[subject.name, default: []].append(Double(elapsed) / Double(calls))
    }
  }
  return times.mapValues { times in
    let sorted = times.sorted()
    return (sorted[0], sorted[sorted.count / 2] / sorted[0])
  }
}

/// One line of the result: what we cost, what a peer costs, and the ratio aimed at.
func report(
  _ name: String, _ ours: (nanoseconds: Double, spread: Double), peer: Double, peerName: String,
  aim: Double?
) {
  func short(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }
  print(
    """
    {"name":"\(name)","unit":"ns","ours":\(short(ours.nanoseconds)),"peer":\(short(peer)),\
    "peerName":"\(peerName)","aim":\(aim.map(short) ?? "null"),"spread":\(short(ours.spread))}
    """)
}
