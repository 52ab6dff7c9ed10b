/// A storm's body as an address, which a child of this program can find.
enum StormBody {
  /// What a function is made of: where its code is described, and what it captures.
  private struct Parts {
    let code: UInt
    let captures: UInt
  }

  /// Where a body is; nil where it captures something, which no other process has.
  static func address(of body: @escaping CallbackStorm.Body) -> UInt? {
    let parts = unsafeBitCast(body, to: Parts.self)
    return parts.captures == 0 ? parts.code : nil
  }

  /// The body at an address.
  static func at(_ address: UInt) -> CallbackStorm.Body {
    unsafeBitCast(Parts(code: address, captures: 0), to: CallbackStorm.Body.self)
  }
}
