/// What every answer of the API is wrapped in.
struct MarvelEnvelope<Result: Decodable & Sendable>: Decodable, Sendable {
  /// A part of a longer list.
  struct Page: Decodable, Sendable {
    let offset: Int
    let total: Int
    let results: [Result]
  }

  let data: Page
}

/// A picture's address in two pieces.
struct MarvelImage: Decodable, Sendable {
  let path: String
  let `extension`: String
}

/// A hero as the API describes one.
struct MarvelCharacter: Decodable, Sendable {
  let id: Int
  let name: String
  let description: String
  let thumbnail: MarvelImage?
}

/// A comic as the API describes one.
struct MarvelComic: Decodable, Sendable {
  let id: Int
  let title: String
  let thumbnail: MarvelImage?
}
