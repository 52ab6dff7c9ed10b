import AffinityTesting
import Dispatch
import Testing
import ThreadAffinity

extension InTurn {
  @Suite struct ViolationTests {
    private let label = PriceLabel()

    @Test func aViolationOnAnotherThreadFailsTheTestWithItsStackAndSite() async {
      await withKnownIssue {
        await expectNoViolations { await answer { [label] in label.show(3) } }
      } matching: { issue in
        let text = issue.comments.map(\.rawValue).joined()
        return text.contains("expected main queue, ran on queue test.network")
          && text.contains("checked at AffinityTestingTests/Prices.swift:")
          && text.contains("stack, newest first")
          && text.contains("PriceLabel.show(_:)  Prices.swift:")
          && !text.contains("no test started")
      }
    }

    @Test func aViolationOfTheTestsOwnTaskIsItsOwn() async {
      await withKnownIssue {
        await expectNoViolations {
          await Task.yield()
          offMain { label.show(3) }
        }
      } matching: { issue in
        !issue.comments.map(\.rawValue).joined().contains("outside any test's scope")
      }
    }

    @Test func theOriginOfAHopIsPartOfTheFailure() async {
      let hop = MainHop(label, "prices", delivery: .observe)
      await withKnownIssue {
        await expectNoViolations { await answer { hop.send { $0.show(3) } } }
      } matching: { issue in
        let text = issue.comments.map(\.rawValue).joined()
        return text.contains("enqueued at AffinityTestingTests/ViolationTests.swift:")
          && text.contains("registered at AffinityTestingTests/ViolationTests.swift:")
          && !text.contains("MainHop.send")
      }
    }

    @Test func theFixPasses() async {
      await expectNoViolations {
        await answer { [label] in DispatchQueue.main.async { label.show(3) } }
      }
    }

    @Test func aSecondTestHearsOfTheSameSiteAgain() async {
      for _ in 1...2 {
        await withKnownIssue {
          await expectNoViolations { await answer { [label] in label.show(3) } }
        }
      }
    }

    @Test func anExpectedViolationIsHandedOver() async {
      let violations = await expectViolation(of: .main, in: "show(_:)") {
        await answer { [label] in label.show(3) }
      }
      #expect(violations.map(\.message) == ["price label"])
    }

    @Test func aViolationElsewhereIsNotTheExpectedOne() async {
      await withKnownIssue {
        await expectNoViolations {
          await expectViolation(of: .main, in: "hide") { await answer { [label] in label.show(3) } }
        }
      } matching: { issue in
        let text = issue.comments.map(\.rawValue).joined()
        return text == "expected a violation of main in hide, but the violation was in show(_:)"
          || text.contains("affinity violation: price label")
      }
    }

    @Test func anExpectedViolationThatDoesNotComeFails() async {
      await withKnownIssue {
        await expectViolation(of: .main) { await onMain { [label] in label.show(3) } }
      } matching: {
        $0.comments.first?.rawValue == "expected a violation of main, but there was no violation"
      }
    }

    @Test func knownDebtsFailNothing() async {
      await expectNoViolations(allowing: .function("show")) {
        await answer { [label] in label.show(3) }
      }
    }

    @Test func aQueueOfYourOwnIsExpectedByItsLabel() async {
      let database = DispatchQueue(label: "test.database")
      let affinity = Affinity.queue(database)
      await expectViolation(of: affinity) { await answer { affinity.expect("writes") } }
      await expectNoViolations {
        await expectViolation(of: affinity) {
          await expectViolation(of: .main) { await answer { [label] in label.show(3) } }
          offMain { affinity.expect("writes") }
        }
      }
    }
  }
}
