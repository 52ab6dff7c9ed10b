import Foundation

extension MarvelImage {
  /// The whole address; nil for the picture that says there is none.
  var url: URL? {
    path.hasSuffix("image_not_available") ? nil : URL(string: "\(path).\(`extension`)")
  }
}

extension Superhero {
  /// Keeps of an answer what the screens need.
  init(_ character: MarvelCharacter) {
    self.init(
      id: character.id, name: character.name, about: character.description,
      image: character.thumbnail?.url)
  }
}

extension HeroPage {
  init(_ envelope: MarvelEnvelope<MarvelCharacter>) {
    self.init(
      offset: envelope.data.offset, total: envelope.data.total,
      heroes: envelope.data.results.map(Superhero.init))
  }
}

extension Appearances {
  init(_ envelope: MarvelEnvelope<MarvelComic>) {
    self.init(
      total: envelope.data.total,
      comics: envelope.data.results.map {
        Comic(id: $0.id, title: $0.title, image: $0.thumbnail?.url)
      })
  }
}
