/// A requirement of each form that no shim can hop.
package protocol Refused {
  func same(_ other: Self) -> Bool
  static var kind: String { get }
  init(number: Int)
  func each<each T>(_ values: repeat each T)
  func many(_ numbers: Int...)
  func lazy(_ number: @autoclosure () -> Int)
  func visit(_ body: (Int) -> Void)
  func again(_ body: () throws -> Void) rethrows
  func lend(_ text: borrowing String)
  func inside(_ actor: isolated RefusedActor)
  consuming func end()
  @RefusedActor func elsewhere()
  func unanswered() -> Int
  func unwaited() throws
  func changed(_ number: inout Int)
  func twice(_ done: @escaping (Int) -> Void) -> Int
  func told(_ done: @escaping (Int) -> Void)
  func either(_ yes: @escaping (Int?) -> Void, no: @escaping (Int?) -> Void)
}

@globalActor package actor RefusedActor { package static let shared = RefusedActor() }

package protocol RefusedByActor: Actor { func run() }

package class Base { package init() {} }
package protocol RefusedSubclass: Base { func run() }
