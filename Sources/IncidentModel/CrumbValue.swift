/// A value that a crumb carries.
package enum CrumbValue: Hashable, Sendable, CustomStringConvertible {
  case string(String)
  case integer(Int64)
  case double(Double)
  case boolean(Bool)

  package var description: String {
    switch self {
    case .string(let value): value
    case .integer(let value): "\(value)"
    case .double(let value): "\(value)"
    case .boolean(let value): "\(value)"
    }
  }
}
