/// A value in a breadcrumb's data: `["user": 42, "path": .string(path), "retried": true]`.
///
/// `record` also accepts plain values: `["item": item, "count": count, "id": uuid]`.
public enum CrumbValue: Sendable, Hashable {
  /// Text, truncated if it does not fit into the crumb.
  case string(String)
  /// A whole number.
  case integer(Int64)
  /// A floating-point number.
  case double(Double)
  /// A Boolean value.
  case boolean(Bool)

  /// Creates an integer value from any integer type, clamped to the range of `Int64`.
  @_disfavoredOverload  // ranks below the case of the same name, for `Int64` arguments
  public static func integer(_ value: some BinaryInteger) -> CrumbValue {
    .integer(Int64(clamping: value))
  }
}

extension CrumbValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByStringInterpolation
{
  /// Creates a text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates a whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Creates a floating-point number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Creates a Boolean value.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension CrumbValue: CustomStringConvertible {
  /// The value as text.
  public var description: String {
    switch self {
    case .string(let value): value
    case .integer(let value): "\(value)"
    case .double(let value): "\(value)"
    case .boolean(let value): "\(value)"
    }
  }
}
