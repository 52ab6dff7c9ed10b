import Foundation
import FoundationNetworking
import LoopbackHTTP
import SampleSupport
import Synchronization
import SquadServer
import Testing
import ThreadAffinity

@testable import Squad

/// The loader on a real server.
@Suite struct ImageLoaderTests {
  private let loader = ImageLoader(URLSession.withoutCache(queue: "squad.network"))

  private func load(_ url: URL) async -> Result<Picture, ImageError> {
    await answer { _ = loader.load(url, answer: $0) }
  }

  @Test func whatWasFetchedIsRemembered() async throws {
    let server = try HeroServer()
    let url = server.url.appendingPathComponent("images/1.pgm")
    #expect(loader.remembered(url) == nil)
    let picture = try await load(url).get()
    #expect(loader.remembered(url) == picture)
    #expect(picture.width == 32)
  }

  @Test func whatIsMissingOrNoPictureIsAnError() async throws {
    let server = try LoopbackServer { $0.path == "/text" ? .text("no picture") : .notFound }
    #expect(await load(server.url) == .failure(.remote(.status(404))))
    let text = server.url.appendingPathComponent("text")
    #expect(await load(text) == .failure(.noPicture))
    #expect(loader.remembered(text) == nil)
  }

  @Test func answersOnTheNetworksQueue() async throws {
    let server = try HeroServer()
    let isOnMain: Bool = await answer { done in
      _ = loader.load(server.url) { _ in done(MainQueue.isCurrent) }
    }
    #expect(!isOnMain)
  }

  @Test func cancellingAtAnyMomentIsSurvivedAndCounted() async throws {
    let server = try HeroServer()
    let answers = Atomic(0)
    var random = SeededRandom(seed: 7)
    for _ in 0..<40 {
      let work = (1...6).map { id in
        loader.load(server.url.appendingPathComponent("images/\(id).pgm")) { _ in
          answers.add(1, ordering: .relaxed)
        }
      }
      try await Task.sleep(for: .microseconds(Int.random(in: 0..<5000, using: &random)))
      for work in work { work.cancel() }
      // Each was answered or cancelled: none of them is under way, now or ever.
      while !loader.underWay.isEmpty { await Task.yield() }
    }
    #expect(answers.load(ordering: .relaxed) < 240)
  }
}
