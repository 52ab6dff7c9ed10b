/// A delegate with what most have: events, completions, questions, state.
package protocol LoaderDelegate: AnyObject {
  func loaderBegan()
  func loader(_ name: String, didReceive bytes: [UInt8])
  func loader(_ name: String, progress: Double)
  func loader(_ name: String, shouldGoOn: @escaping @Sendable (Bool) -> Void)
  func loader(_ name: String, didFinish done: ((Int, (any Error)?) -> Void)?)
  func loader(onMain done: @escaping @MainActor @Sendable (Int) -> Void)
  func loader(yes: @escaping @Sendable (Int) -> Void, no: @escaping @Sendable (String) -> Void)
  func retryCount(for name: String) -> Int
  func hint() -> String?
  var title: String { get }
  var level: Int { get set }
  subscript(row: Int, in section: String) -> String { get set }
  @available(*, deprecated) func oldEvent()
  @discardableResult func note(in class: Int, target: String, passed: Bool, hop: Int) -> Int
  func `default`(_: Int, _: Int)
}

/// Failures and changed arguments.
package protocol Editor: AnyObject {
  func check(_ number: Int) throws -> String
  func save(_ number: Int) throws
  func typed(_ number: Int) throws(EditorError) -> Int
  func adjust(_ number: inout Int)
  func swap(_ number: inout Int, _ other: inout String) -> Bool
  func mixed(_ step: Int, _ number: inout Int)
  var size: Int { get throws }
}

package struct EditorError: Error, Equatable {
  package let code: Int
  package init(code: Int) { self.code = code }
}

/// Asynchronous requirements.
package protocol Fetcher: AnyObject {
  func started(_ number: Int)
  func fetch(_ number: Int) async -> Int
  func fetchOrThrow(_ number: Int) async throws -> String
  func fetchTyped(_ number: Int) async throws(EditorError) -> Int
  func pause() async
  func fetchBox(_ box: Box) async -> Box
  @MainActor func fetchOnMain(_ box: Box) async -> Int
  var count: Int { get async throws }
}

/// An object that is not to be shared.
package final class Box {
  package var number: Int
  package init(_ number: Int) { self.number = number }
}

/// Generic requirements, and requirements of the target's types.
package protocol Store: AnyObject {
  associatedtype Key: Hashable
  associatedtype Value
  typealias Pair = (Key, Value)
  func put(_ value: Value, for key: Key)
  func putAll(_ pairs: [Pair], done: @escaping (Int) -> Void)
  func visit<T: Equatable, U>(_ value: T, _ other: U) where U: CustomStringConvertible
  func some(_ value: some Sendable)
  subscript<T: Equatable>(of value: T) -> Value? { get }
}

/// Asynchronous requirements of the target's types.
package protocol Feed: AnyObject {
  associatedtype Row
  func rows(from first: Int) async throws -> [Row]
  func mark(_ row: Row) async
  var newest: Row? { get async }
}

/// Requirements that say where they belong.
@MainActor package protocol Screen {
  func draw()
  nonisolated func invalidate(_ number: Int)
  var name: String { get set }
}

/// A protocol that structs may conform to as well.
package protocol Counter {
  mutating func count(_ number: Int)
  var last: Int { get set }
  var total: Int { get nonmutating set }
}

/// A protocol that inherits, partly from another module.
package protocol Named: AnyObject { func renamed(_ name: String) }
package protocol Closer: Named, Sendable { func closed() }
package protocol LastCloser: Closer, Named { func closedAll() }

package enum Outer {
  package protocol Inner: AnyObject { func inner() }
}

/// A protocol with requirements of the type, which have defaults.
package protocol Kind: AnyObject {
  static var kind: String { get }
  func used()
}
extension Kind { package static var kind: String { "kind" } }
extension Kind { package func used() {} }

/// A delegate whose target is a class of the main actor's, which says so.
package protocol Reader: Named {
  func opened(_ page: Int, of box: Box)
  func reader(_ name: String, shouldGoOn: @escaping @Sendable (Bool) -> Void)
  func pages(of name: String) throws -> Int
  func turn(_ page: inout Int) -> Bool
  func load(_ number: Int) async throws -> String
  @discardableResult func mark(page number: Int) -> Bool
  var position: Int { get set }
  subscript(mark: String) -> Int { get set }
}

/// A protocol that everybody sees.
public protocol Ticker: AnyObject {
  func tick(_ number: Int)
  func stop()
  var pace: Int { get set }
}

/// What is asked on the main actor, and what has a default of its own.
package protocol Panel: AnyObject {
  @MainActor var title: String? { get }
  @MainActor func rows(in section: Int) -> [Int]
  func hint() -> String?
  func index() -> Set<Int>
  func names() -> [Int: String]
}
