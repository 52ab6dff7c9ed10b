import AffinityTesting
import Foundation
import HeadlessUI
import Testing

@Suite struct LayoutEngineTests {
  @Test func aCallbackThatEntersItOffTheMainQueueEndsTheProcessAndIsNamed() async {
    await expectCrash(.unhoppedCallback, culprit: "LayoutEngineTests") {
      DispatchQueue(label: "test.network").async { LayoutEngine.enter() }
      Thread.sleep(forTimeInterval: 10)
    }
  }
}
