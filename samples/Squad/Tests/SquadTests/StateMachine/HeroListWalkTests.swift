import FoundationNetworking
import SampleSupport
import Testing

@testable import Squad

/// The list's state machine under events in any order, with a world that answers late or never.
@Suite struct HeroListWalkTests {
  @Test(arguments: 0..<200 as Range<UInt64>)
  func noOrderOfEventsLeadsToAnImpossibleState(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var state = HeroList.State()
    var asked: [Int] = []
    for _ in 0..<60 {
      let event = event(state, &asked, &random)
      let before = state
      for effect in HeroList.reduce(&state, on: event) {
        switch effect {
        case .loadPage(let offset):
          #expect(before.status != .loading && before.nextPage != .loading, "two at once: \(event)")
          asked.append(offset)
        case .open: #expect(before.opened == nil, "two details at once")
        case .loadSquad: break
        }
      }
      check(state, after: event)
    }
  }

  private func check(_ state: HeroList.State, after event: HeroList.Event) {
    #expect(Set(state.heroes.map(\.id)).count == state.heroes.count, "\(event)")
    switch state.status {
    case .idle: #expect(state.heroes.isEmpty && state.nextPage == .idle, "\(event)")
    case .error: #expect(state.heroes.isEmpty, "\(event)")
    case .loading: #expect(state.nextPage != .loading, "\(event)")
    case .loaded, .persisted: #expect(state.nextPage == .idle || state.hasMore, "\(event)")
    }
  }

  /// Something that may happen: what was asked for may come at any time, in any order, or twice.
  private func event(
    _ state: HeroList.State, _ asked: inout [Int], _ random: inout SeededRandom
  ) -> HeroList.Event {
    let lost = RemoteError.unreachable(.timedOut)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return .willAppear
    case 1: return .retry
    case 2: return .reached(row: .random(in: 0..<50, using: &random))
    case 3: return .tapped(.sample(.random(in: 1...5, using: &random)))
    case 4: return .closed
    case 5: return .squadArrived([.sample(1)])
    default:
      guard let offset = asked.randomElement(using: &random) else { return .willAppear }
      if Bool.random(using: &random) { asked.removeAll { $0 == offset } }
      let last = max(offset, min(offset + 20, 45))
      let heroes = (offset..<last).map { Superhero.sample($0 + 1) }
      let page = HeroPage(offset: offset, total: 45, heroes: heroes)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: return .failed(offset: offset, lost)
      case 1: return .arrived(offset: offset, .persisted(page, lost))
      default: return .arrived(offset: offset, .fresh(page))
      }
    }
  }
}
