import AffinityTesting
import Foundation
import SitesServer
import Synchronization
import Testing
import ThreadAffinity

@testable import Sites

/// Where images come from, and whom they reach.
@MainActor @Suite(.affinityChecked) struct ImageLoaderTests {
  private let transport = HeldTransport()
  private let folder = ScratchFolder()
  private let address: WebAddress = "http://a.example/icon"

  private func loader() -> ImageLoader {
    ImageLoader(transport: transport, archive: FileArchive(folder: folder.url))
  }

  /// Loads an image, lets `answer` answer its request, and says how far it came, step by step.
  private func phases(
    _ loader: ImageLoader, _ address: WebAddress, from source: ImageLoader.Source = .saved,
    answer: @escaping @Sendable (HeldTransport) -> Void = { _ in }
  ) async throws -> [ImagePhase] {
    var phases: [ImagePhase] = []
    let load = loader.load(address, width: 8, height: 8, from: source) { phase in
      expectMainQueue("an image's phase")
      phases.append(phase)
    }
    let asked = transport.requests.count
    let end = ContinuousClock.now + .seconds(20)
    var isAnswered = false
    while phases.isEmpty || phases.last == .loading, ContinuousClock.now < end {
      if !isAnswered, transport.requests.count > asked || !transport.requests.isEmpty {
        isAnswered = true
        let transport = transport
        DispatchQueue.global().async { answer(transport) }
      }
      try await Task.sleep(for: .milliseconds(1))
    }
    withExtendedLifetime(load) {}
    return phases
  }

  private func bitmap() throws -> Bitmap {
    try Bitmap(drawing: Pictures.png, width: 8, height: 8)
  }

  @Test func anImageComesInPhases() async throws {
    let phases = try await phases(loader(), address) { $0.answer(0, Data(Pictures.png)) }
    #expect(try phases == [.loading, .success(bitmap())])
  }

  @Test(arguments: ["", "icon.png", "http://no host/icon", "file:///etc/passwd"])
  func aMalformedAddressFailsAtOnceAndIsNotAskedFor(text: String) async throws {
    #expect(try await phases(loader(), WebAddress(text)) == [.failure(.malformedAddress)])
    #expect(transport.requests.isEmpty)
  }

  @Test func whatWasDrawnIsThereAtOnceTheNextTime() async throws {
    let loader = loader()
    _ = try await phases(loader, address) { $0.answer(0, Data(Pictures.png)) }
    #expect(try await phases(loader, address) == [.success(bitmap())])
    #expect(transport.requests.count == 1)
  }

  @Test func whatWasSavedIsNotAskedForAgain() async throws {
    _ = try await phases(loader(), address) { $0.answer(0, Data(Pictures.png)) }
    #expect(try await phases(loader(), address) == [.loading, .success(bitmap())])
    #expect(transport.requests.count == 1)
  }

  @Test func whereTheAddressIsAskedFirstWhatWasSavedIsForFailures() async throws {
    let loader = loader()
    _ = try await phases(loader, address) { $0.answer(0, Data(Pictures.png)) }
    let lost = try await phases(loader, address, from: .address) { transport in
      Self.onceAsked(transport, 2) { transport.fail() }
    }
    #expect(try lost == [.loading, .success(bitmap())])
    #expect(transport.requests.count == 2)
  }

  @Test func whatIsNoImageIsNotSaved() async throws {
    let phases = try await phases(loader(), address) { $0.answer(0, Data("no".utf8)) }
    guard case .failure(.undrawable) = phases.last else {
      Issue.record("\(phases)")
      return
    }
    #expect(folder.files.isEmpty)
  }

  @Test func aFailureSaysWhy() async throws {
    let status = try await phases(loader(), address) { $0.answer(0, status: 403) }
    #expect(status.last == .failure(.requestFailed(.status(403))))
    let lost = try await phases(loader(), "http://a.example/other") { transport in
      Self.onceAsked(transport, 2) { transport.fail(.timedOut) }
    }
    #expect(lost.last == .failure(.requestFailed(.noAnswer(.timedOut))))
  }

  @Test func whoCancelsIsNotToldAnyMoreAndTheRequestIsTakenBack() async throws {
    var phases: [ImagePhase] = []
    let load = loader().load(address, width: 8, height: 8) { phases.append($0) }
    while transport.requests.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    load.cancel()
    transport.answer(0, Data(Pictures.png))
    while transport.cancelled.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    try await Task.sleep(for: .milliseconds(20))
    #expect(phases == [.loading])
    #expect(transport.cancelled == [URL(string: "http://a.example/icon")!])
  }

  @Test func whoLetsGoOfTheLoadIsNotToldAnyMore() async throws {
    var phases: [ImagePhase] = []
    var load: ImageLoad? = loader().load(address, width: 8, height: 8) { phases.append($0) }
    while transport.requests.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    withExtendedLifetime(load) {}
    load = nil
    transport.answer(0, Data(Pictures.png))
    while transport.cancelled.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    #expect(phases == [.loading])
  }

  /// Does something as soon as there are so many requests.
  nonisolated private static func onceAsked(
    _ transport: HeldTransport, _ count: Int, _ body: () -> Void
  ) {
    while transport.requests.count < count { usleep(500) }
    body()
  }
}
