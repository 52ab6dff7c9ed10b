/// What a torture writer puts into its crumbs, so that a reader can tell each byte's place.
enum Payload {
  /// The text of crumb `number` of a writer: its length and letters follow from both.
  static func text(writer: Int, number: UInt64) -> String {
    let length = Int((number &* 2_654_435_761 &+ UInt64(writer) &* 97) % 160)
    let letter = UInt8(ascii: "a") + UInt8((number &+ UInt64(writer)) % 26)
    return String(decoding: repeatElement(letter, count: length), as: UTF8.self)
  }
}

/// The streams of crumbs of one writer, each counted by itself, as each is kept by itself.
enum Stream: String, CaseIterable {
  case note, error, lifecycle

  /// Mostly notes, as in life.
  static func of(turn: UInt64) -> Stream {
    if turn % 50 == 0 { return .lifecycle }
    return turn % 12 == 0 ? .error : .note
  }
}
