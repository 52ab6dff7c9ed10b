import AffinityTesting
import CrashTesting
import Foundation
import FoundationNetworking
import HeadlessUI
import LoopbackHTTP
import SampleSupport
import SquadServer
import Testing
import ThreadAffinity

@testable import Squad

extension OnScreen {
  /// “Images go crazy for my squad”: a picture comes late, off the main queue, into a cell that is
  /// somebody else's by now. All of it is real: the server, the session, the cells.
  @MainActor @Suite struct LatePictureTests {
    /// Hires two heroes, of whom the first one's picture is late, and fires that one before it comes.
    private func fireWhoWaitsForAPicture(_ care: ImageCare) async throws -> SquadCell {
      let app = try AppUnderTest(heroes: 3, care: care)
      let late = app.server.hold("/images/2.pgm")
      try await app.launch(held: 1)
      try await app.hire(row: 1)
      try await app.hire(row: 0)
      try await app.fireMember(at: 0)
      late.open()
      try await app.settle()
      #expect(app.screen.strip.cells.count == 1)
      return app.screen.strip.cells[0]
    }

    @Test func withoutTheFixTheLatePictureLandsOffMainInAnothersCell() async throws {
      let violations = try await expectViolation(of: .main) {
        let cell = try await fireWhoWaitsForAPicture([])
        #expect(cell.hero?.name == "Captain Ledger")
        #expect(cell.picturedName == "Doctor Ledger")
      }
      #expect(violations.allSatisfy { "\($0.message)".contains("ImageView.image") })
    }

    @Test func aHopAloneBringsTheWrongPictureToTheRightQueue() async throws {
      try await expectNoViolations {
        let cell = try await fireWhoWaitsForAPicture(.hops)
        #expect(cell.hero?.name == "Captain Ledger")
        #expect(cell.picturedName == "Doctor Ledger")
      }
    }

    @Test(arguments: [ImageCare.full, [.hops, .checksTokens]])
    func withTheFixEveryCellShowsItsOwnHero(care: ImageCare) async throws {
      try await expectNoViolations {
        let cell = try await fireWhoWaitsForAPicture(care)
        #expect(cell.hero?.name == "Captain Ledger")
        #expect(cell.picturedName == "Captain Ledger")
      }
    }

    @Test func aPictureThatNobodyWaitsForIsNotFetchedToItsEnd() async throws {
      let app = try AppUnderTest(heroes: 20)
      let gate = app.server.hold("/images/1.pgm")
      try await app.launch(held: 1)
      // Scrolled out of sight: the request ends though the server has not answered.
      app.screen.table.drag(by: Point(y: 10 * HeroCell.height))
      try await app.settle()
      #expect(app.images.underWay.isEmpty)
      gate.open()
    }

    @Test nonisolated func withoutTheFixAPictureThatIsNotFoundEndsTheProcess() async {
      await expectCrash(.unhoppedCallback, culprit: "in AsyncImageView.show", within: .seconds(20))
      {
        MainActor.assumeIsolated { MissingPicture.show(care: []) }
      }
    }
  }
}

/// A window with one picture, which the server does not have.
@MainActor
private enum MissingPicture {
  /// Held until the end of the process.
  private static var held: [Any] = []

  static func show(care: ImageCare) {
    guard let server = try? LoopbackServer({ _ in .notFound }) else { return }
    let window = Window(size: Size(width: 20, height: 8))
    let view = AsyncImageView(Size(width: 8, height: 4), care: care)
    window.addSubview(view)
    window.layoutIfNeeded()
    let loader = ImageLoader(URLSession.withoutCache(queue: "squad.network"))
    held = [server, window, view, loader]
    view.show(server.url, of: "Nobody", from: .live(loader), Strings("en"))
  }
}
