import ThreadAffinity

/// The reason for a test failure.
struct TestProblem {
  let text: String
  /// The first violation of the problem; nil if the problem is not a violation.
  var violation: CaughtViolation?

  /// The problems for these violations. Violations of one check form one problem.
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
      let more = group.count == 1 ? "" : "\n  this happened \(group.count) times in this test"
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
