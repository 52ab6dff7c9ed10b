/// What identifies an operation: sixteen letters and digits, drawn at random.
public struct OperationID: Sendable, Hashable, CustomStringConvertible {
  /// The letters and digits.
  public let text: String

  /// An id of that text.
  public init(_ text: String) { self.text = text }

  /// An id that was never there before: one of 62 to the power of 16.
  public static func random(using generator: inout some RandomNumberGenerator) -> OperationID {
    OperationID(String((0..<length).map { _ in characters.randomElement(using: &generator)! }))
  }

  /// An id drawn by the system's generator.
  public static func random() -> OperationID {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  /// The letters and digits.
  public var description: String { text }

  static let length = 16
  private static let characters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
}
