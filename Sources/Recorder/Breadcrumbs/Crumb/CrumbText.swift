/// A type whose values can be messages and categories of crumbs: `String`, `Substring` and
/// `StaticString`.
public protocol CrumbText: CustomStringConvertible {}

extension String: CrumbText {}
extension Substring: CrumbText {}
extension StaticString: CrumbText {}
