import AffinityTesting
import Foundation
import HeadlessUI
import Testing

@testable import Operations

extension OnScreen {
  /// The real engine with the app's own script.
  @MainActor @Suite(.affinityChecked) struct WholeStoryTests {
    @Test func manyOperationsRunAtOnceAndEveryThirdFails() async throws {
      let screen = TestScreen(ScriptEngine(), atFirst: 12)
      try await screen.wait(for: "all ends") { screen.controller.operations.unfinished.isEmpty }
      for (row, operation) in screen.operations.enumerated() {
        #expect(operation.state == (row % 3 == 2 ? .failed(.reported) : .succeeded))
      }
      #expect(screen.controller.operations.ignoredCount == 0)
    }

    @Test func aScriptThatTalksNonsenseDoesNoHarm() async throws {
      let screen = TestScreen(
        ScriptEngine(),
        source: { () throws(ScriptError) in
          Script(
            name: "t.js",
            text: """
              function startOperation(id) {
                const raw = body => webkit.messageHandlers.jumbo.postMessage(body);
                const post = (message) => raw(JSON.stringify({id: id, ...message}));
                raw('{'); raw({id: id}); raw(); raw(null); raw('[]');
                post({message: 'progress', progress: 40});
                post({message: 'progress', progress: 40});
                post({message: 'progress', progress: 20});
                post({message: 'progress', progress: 'much'});
                post({id: 'nobody', message: 'completed', state: 'success'});
                post({message: 'completed', state: 'success'});
                post({message: 'completed', state: 'error'});
                post({message: 'completed', state: 'success'});
                setTimeout(post, 1, {message: 'progress', progress: 60});
              }
              """)
        }, atFirst: 1)
      try await screen.wait(for: "the last message") {
        screen.controller.operations.ignoredCount == 12
      }
      #expect(screen.operations[0].state == .succeeded)
      #expect(screen.lines.contains("12 ignored, the last was too late"))
    }

    @Test func aScreenThatIsGoneIsNotKeptAlive() async throws {
      weak var gone: OperationsController?
      do {
        let screen = TestScreen(ScriptEngine(), atFirst: 3)
        try await screen.wait(for: "the start") { screen.operations[0].state == .running }
        gone = screen.controller
        screen.window.rootViewController = nil
      }
      let end = ContinuousClock.now + .seconds(20)
      while gone != nil, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(1)) }
      #expect(gone == nil)
    }
  }
}
