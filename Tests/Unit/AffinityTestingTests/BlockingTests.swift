import AffinityTesting
import BlockingCalls
import Glibc
import ProcessTesting
import Testing

@Suite("Tests fail for calls that block", .serialized, .enabled(if: !isSanitized))
struct BlockingTests {
  @Test func aCallThatBlocksThePoolFailsTheTestAndIsNamed() async {
    await withKnownIssue {
      await expectNoBlocking { await Task.detached { slowRead() }.value }
    } matching: { issue in
      let text = "\(issue.comments)"
      return text.contains("usleep blocked a thread of the pool for ")
        && text.contains("slowRead()  BlockingTests.swift:")
    }
  }

  @Test func whatWaitsWithoutAThreadOrIsAllowedDoesNot() async {
    await expectNoBlocking {
      try? await Task.sleep(for: .milliseconds(30))
      await Task.detached { _ = BlockingCalls.allowed { usleep(30_000) } }.value
    }
  }

  @Test func whatCameBeforeDoesNot() async {
    await Task.detached { slowRead() }.value
    await expectNoBlocking {}
  }

  @Test func aLongerThresholdLetsMorePass() async {
    await expectNoBlocking(longerThan: .seconds(60)) { await Task.detached { slowRead() }.value }
  }

  @Test(.noBlocking) func theTraitLooksAtTheWholeTest() async throws {
    try await Task.sleep(for: .milliseconds(10))
  }
}

@inline(never)
private func slowRead() {
  usleep(30_000)
  keepFrame()
}

@inline(never)
private func keepFrame() {}
