import AffinityTesting
import CrashTesting
import Foundation
import HeadlessUI
import Testing

@Suite struct LayoutEngineTests {
  /// Answers on a queue of its own.
  private enum Network {
    static func load(_ completion: @escaping @Sendable (String) -> Void) {
      DispatchQueue(label: "test.network").async { completion("arrived") }
    }
  }

  @Test func aCallbackThatChangesALayoutInUseOffTheMainQueueEndsTheProcessAndIsNamed() async {
    await expectCrash(.unhoppedCallback, culprit: "LayoutEngineTests") {
      let window = Window()
      let label = Label("waiting")
      window.addSubview(label)
      window.layoutIfNeeded()
      Network.load { label.text = $0 }
      Thread.sleep(forTimeInterval: 10)
    }
  }

  @MainActor @Test func aViewInNoWindowIsOnlyComplainedAbout() async {
    let label = Label()
    let violations = await expectViolation(of: .main) {
      await withCheckedContinuation { continuation in
        Network.load {
          label.text = $0
          continuation.resume()
        }
      }
    }
    #expect(violations.first?.message == "write of Label.text")
    #expect(label.text == "arrived")
  }

  @MainActor @Test(.affinityChecked) func changesOfATurnAreLaidOutAtItsEnd() async {
    let window = Window(size: Size(width: 20, height: 5))
    let label = Label("one")
    window.addSubview(StackView(.vertical, [label]))
    await turn()
    #expect(label.frame == Rect(x: 0, y: 0, width: 18, height: 1))
    label.numberOfLines = 0
    label.text = "one two three four five"
    #expect(label.frame.height == 1)
    await turn()
    #expect(label.frame.height == 2)
  }

  private func turn() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }
}
