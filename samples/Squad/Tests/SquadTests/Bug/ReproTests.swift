import AffinityTesting
import Breadcrumbs
import Foundation
import HeadlessUI
import Synchronization
import Testing

@testable import Squad

// unhopped-callback: The closure in AsyncImageView.show(_:of:from:_:) (AsyncImageView.swift:51) is called on
// queue squad.network and touches “write of ImageView.image” without a hop
//   delivered by its queue closure #1 in ImageLoader.load(_:answer:) ImageLoader.swift:30
//   called back closure #2 in AsyncImageView.show(_:of:from:_:) AsyncImageView.swift:51
//   no hop to the main queue
//   touched “write of ImageView.image” ImageView.image.setter ImageView.swift
//
// The findings of the same log about “write of Label.text”, “View.setNeedsLayout()” and “layout engine” are
// of the same callback with the other outcome, of which the process dies.

/// A picture in a window, in place of the stand-in that `crashscan repro` has written.
@MainActor
private final class PictureSubject {
  private let window = Window(size: Size(width: 20, height: 8))
  private let view: AsyncImageView
  private let outcome: Result<Picture, ImageError>
  private let answer = Mutex<ImageLoader.Answer?>(nil)

  init(_ care: ImageCare, _ outcome: Result<Picture, ImageError>) {
    self.outcome = outcome
    view = AsyncImageView(Size(width: 8, height: 4), care: care)
    window.addSubview(view)
    let source = ImageSource(
      remembered: { _ in nil },
      load: { [weak self] _, answer in
        self?.answer.withLock { $0 = answer }
        return CancelFlag()
      })
    view.show(URL(fileURLWithPath: "/picture"), of: "A hero", from: source, Strings("en"))
    window.layoutIfNeeded()
  }

  nonisolated var isRight: Bool { true }

  nonisolated func lifecycle(_ event: LifecycleEvent) {}

  nonisolated func calledBack(_ number: Int) { answer.withLock { $0 }?(outcome) }
}

extension OnScreen {
  /// The bug's findings, delivered again: the fix is in as long as these pass.
  @Suite struct ReproTests {
    private static let storm = CallbackStorm(
      replaying: "on queue: AsyncImageView.show(_:of:from:_:)")

    @MainActor
    private static func offer(
      _ care: ImageCare, _ outcome: Result<Picture, ImageError>, to scenario: StormScenario
    ) {
      let subject = PictureSubject(care, outcome)
      scenario.lifecycle.onEvent { subject.lifecycle($0) }
      scenario.callback("AsyncImageView.show(_:of:from:_:)") { number in
        subject.calledBack(number)
      }
      scenario.check("what was called back is right") { subject.isRight }
    }

    @Test func theBugFailsAPictureThatComes() async throws {
      let bug = try await Self.storm.findBug { await Self.offer([], PictureSamples.grey, to: $0) }
      #expect(bug?.reason.contains("write of ImageView.image: expected main queue") == true)
    }

    @Test func theFixPassesAPictureThatComes() async throws {
      try await Self.storm.run { await Self.offer(.full, PictureSamples.grey, to: $0) }
    }

    @Test func theBugFailsAPictureThatIsMissing() async throws {
      let bug = try await Self.storm.findBug(inChildren: true) {
        await Self.offer([], .failure(.noPicture), to: $0)
      }
      #expect(bug?.reason.contains("in AsyncImageView.show(_:of:from:_:)") == true)
    }

    @Test func theFixPassesAPictureThatIsMissing() async throws {
      try await Self.storm.run(inChildren: true) {
        await Self.offer(.full, .failure(.noPicture), to: $0)
      }
    }
  }
}
