import Glibc
public import Testing

/// Whether all tests are to run, however long they take: always, but in `make test`.
public let isWholeRun =
  getenv("MAINSTAY_TESTS").map { String(cString: $0) } != "short"

extension Trait where Self == ConditionTrait {
  /// A test that takes long: `make test-all` runs it, and `make test` does not.
  public static var long: Self { .enabled(if: isWholeRun, "long: make test-all runs it") }
}

extension Array {
  /// All of them, or in `make test` the first of so many, and of the next so many.
  public func inShort(oneOf count: Int) -> [Element] {
    isWholeRun ? self : stride(from: 0, to: self.count, by: count).map { self[$0] }
  }
}
