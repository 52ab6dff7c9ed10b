import Foundation
import FoundationNetworking

/// What the app asks of the network, as a witness: a test makes one of closures.
package struct HeroAPI: Sendable {
  /// What an answer is handed to, on whatever queue it came.
  package typealias Answer<Value> = @Sendable (Result<Value, RemoteError>) -> Void

  /// The heroes from an offset on.
  package var heroes: @Sendable (_ offset: Int, @escaping Answer<HeroPage>) -> any Cancellable
  /// The comics of the hero of that id.
  package var appearances: @Sendable (_ hero: Int, @escaping Answer<Appearances>) -> any Cancellable

  /// The real one.
  package static func live(_ remote: Remote, at base: URL) -> HeroAPI {
    HeroAPI(
      heroes: { offset, answer in
        let endpoint = Endpoint(
          "v1/public/characters", ["limit": Endpoint.pageLength, "offset": offset])
        return remote.load(endpoint.request(at: base), MarvelEnvelope<MarvelCharacter>.self) {
          answer($0.map(HeroPage.init))
        }
      },
      appearances: { hero, answer in
        let endpoint = Endpoint(
          "v1/public/characters/\(hero)/comics", ["limit": Endpoint.shownComics])
        return remote.load(endpoint.request(at: base), MarvelEnvelope<MarvelComic>.self) {
          answer($0.map(Appearances.init))
        }
      })
  }
}
