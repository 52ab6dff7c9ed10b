/// A value in a breadcrumb's data: `["user": 42, "path": .string(path), "retried": true]`.
///
/// `record` also takes plain values: `["item": item, "count": count, "id": uuid]`.
public enum CrumbValue: Sendable, Hashable {
  /// Text, cut if it does not fit into the crumb.
  case string(String)
  /// A whole number.
  case integer(Int64)
  /// A floating-point number.
  case double(Double)
  /// True or false.
  case boolean(Bool)

  /// An integer of any type, clamped to the range of `Int64`.
  @_disfavoredOverload  // below the case of the same name, which an Int64 means
  public static func integer(_ value: some BinaryInteger) -> CrumbValue {
    .integer(Int64(clamping: value))
  }
}

extension CrumbValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByStringInterpolation
{
  /// Text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A floating-point number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// True or false.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension CrumbValue: CustomStringConvertible {
  /// The value itself.
  public var description: String {
    switch self {
    case .string(let value): value
    case .integer(let value): "\(value)"
    case .double(let value): "\(value)"
    case .boolean(let value): "\(value)"
    }
  }
}
