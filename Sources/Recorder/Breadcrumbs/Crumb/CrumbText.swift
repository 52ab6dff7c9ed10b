/// A type whose values are messages and categories of crumbs: `String`, `Substring` and `StaticString`.
public protocol CrumbText: CustomStringConvertible {}

extension String: CrumbText {}
extension Substring: CrumbText {}
extension StaticString: CrumbText {}
