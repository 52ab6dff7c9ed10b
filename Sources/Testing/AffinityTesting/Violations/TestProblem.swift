import ThreadAffinity

/// Something that a test fails for.
struct TestProblem {
  let text: String
  /// The first violation it is about, if it is about one.
  var violation: CaughtViolation?

  /// Violations, those of one check together.
  static func all(of violations: [CaughtViolation]) -> [TestProblem] {
    var groups: [[CaughtViolation]] = []
    for violation in violations {
      if let index = groups.firstIndex(where: { $0[0].isOfSameCheck(as: violation) }) {
        groups[index].append(violation)
      } else {
        groups.append([violation])
      }
    }
    return groups.map { group in
      let more = group.count == 1 ? "" : "\n  it happened \(group.count) times in this test"
      return TestProblem(text: "\(group[0])\(more)", violation: group[0])
    }
  }
}

extension CaughtViolation {
  fileprivate func isOfSameCheck(as other: CaughtViolation) -> Bool {
    violation.site != nil && violation.site == other.violation.site
      && violation.expected == other.violation.expected
      && violation.message == other.violation.message
  }
}
