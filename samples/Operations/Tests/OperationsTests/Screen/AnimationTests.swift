import AffinityTesting
import Foundation
import HeadlessUI
import Testing

@testable import Operations

extension OnScreen {
  /// Bars move, and do not jump or flicker.
  @MainActor @Suite(.affinityChecked) struct AnimationTests {
    private let frames = HeldFrames()

    @Test func aBarMovesToItsNewValueInSmallSteps() {
      let bar = AnimatedProgressView()
      bar.setProgress(0.8, animatedBy: frames)
      var seen = [bar.progress]
      while frames.tick() { seen.append(bar.progress) }
      let steps: [Double] = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]
      #expect(seen.map { ($0 * 10).rounded() / 10 } == steps)
      #expect(!bar.isAnimating)
    }

    @Test func aNewerValueIsGoneToFromWhereTheBarIs() {
      let bar = AnimatedProgressView()
      bar.setProgress(0.2, animatedBy: frames)
      for _ in 0..<4 { frames.tick() }
      bar.setProgress(0.9, animatedBy: frames)
      var last = bar.progress
      #expect(last == 0.1)
      while frames.tick() {
        #expect(bar.progress >= last && bar.progress <= 0.9)
        last = bar.progress
      }
      #expect(last == 0.9)
    }

    @Test func withoutAClockTheBarIsThereAtOnceAndStaysThere() {
      let bar = AnimatedProgressView()
      bar.setProgress(0.8, animatedBy: frames)
      frames.tick()
      bar.setProgress(0.3, animatedBy: nil)
      #expect(bar.progress == 0.3 && !bar.isAnimating)
      frames.finish()
      #expect(bar.progress == 0.3)
    }

    @Test func theSameValueAgainDoesNotBeginAnew() {
      let bar = AnimatedProgressView()
      bar.setProgress(0.8, animatedBy: frames)
      for _ in 0..<5 { frames.tick() }
      bar.setProgress(0.8, animatedBy: frames)
      for _ in 0..<3 { frames.tick() }
      #expect(bar.progress == 0.8)
      #expect(!frames.tick())
    }

    @Test func aBarThatIsGoneAsksForNoMoreFrames() {
      var bar: AnimatedProgressView? = AnimatedProgressView()
      bar?.setProgress(0.8, animatedBy: frames)
      frames.tick()
      bar = nil
      frames.tick()
      #expect(!frames.tick())
    }

    @Test func onItsWayARowIsNeitherLaidOutNorShownAnew() async throws {
      let engine = HeldEngine(loadsAtOnce: true)
      let screen = TestScreen(engine, clock: frames, atFirst: 1)
      await screen.rest()
      let cell = try screen.cell(0)
      engine.post(Posts.progress("op-1", 40))
      await screen.rest()
      let (shown, layouts) = (cell.shown, cell.layouts)
      var pictures: [String] = []
      while frames.tick() { pictures.append(screen.lines[3]) }
      #expect(pictures.first == "██░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░   5 %")
      #expect(pictures.last == "█████████████████░░░░░░░░░░░░░░░░░░░░░░░░░  40 %")
      #expect(Set(pictures).count == AnimatedProgressView.frames)
      #expect(cell.shown == shown)
      #expect(cell.layouts == layouts)
    }
  }
}
