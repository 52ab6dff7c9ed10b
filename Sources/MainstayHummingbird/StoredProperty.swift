#if Hummingbird
  @_spi(Reflection) internal import Swift

  /// A property that a structure or a class stores, and where.
  struct StoredProperty {
    private(set) var offset = 0
    private(set) var type: Any.Type = Never.self

    // `.classType`, which is a variable of the library.
    private static let ofClass = _EachFieldOptions(rawValue: 1)

    /// Nil where there is none of this name, and of this type.
    init?(of owner: Any.Type, _ name: String, as wanted: Any.Type? = nil) {
      var found = false
      _ = _forEachField(of: owner, options: owner is AnyClass ? Self.ofClass : []) {
        field, offset, type, _ in
        guard String(cString: field) == name, wanted == nil || type == wanted! else { return true }
        (self.offset, self.type, found) = (offset, type, true)
        return false
      }
      guard found else { return nil }
    }
  }

  extension UInt {
    /// What stands for a type in memory.
    init(typeOf type: Any.Type) { self = unsafeBitCast(type, to: UInt.self) }
  }
#endif
