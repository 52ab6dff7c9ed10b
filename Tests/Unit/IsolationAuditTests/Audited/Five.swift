// swift-format-ignore-file
// A library in Swift 5's mode: its functions do not say where they call their closures.
import Dispatch

public final class Five {
  private var kept: [() -> Void] = []
  public init() {}

  public func later(_ work: @escaping () -> Void) { DispatchQueue.global().async { work() } }
  public func now(_ work: () -> Void) { work() }
  public func keep(_ work: @escaping () -> Void) { kept.append(work) }
  public func onMain(_ work: @escaping () -> Void) { DispatchQueue.main.async { work() } }

  public func map<Item>(_ make: @escaping (Int) -> Item, _ done: @escaping (Item) -> Void) {
    DispatchQueue.global().async { done(make(3)) }
  }

  public func twice(_ work: @escaping () -> Void) { later { self.later(work) } }
  public func waitsForMain(_ work: @escaping () -> Void) {
    DispatchQueue.global().async { DispatchQueue.main.async { work() } }
  }
}

open class Base {
  public init() {}
  open func run(_ work: @escaping () -> Void) { DispatchQueue.global().async { work() } }
}

open class Service<Value> {
  private let value: Value
  public init(_ value: Value) { self.value = value }
  public func once(on queue: DispatchQueue, _ handler: @escaping (Value) -> Void) {
    let value = self.value
    queue.async { handler(value) }
  }
  public func timer(_ queue: DispatchQueue, _ work: @escaping () -> Void) {
    let source = DispatchSource.makeTimerSource(queue: queue)
    source.setEventHandler { work() }
    source.resume()
  }
  public func sync(_ handler: (Value) -> Int) -> Int { handler(value) }
}

public struct Runner<Value> {
  private let value: Value
  private let work: (Value) -> Void
  public init(_ value: Value, _ work: @escaping (Value) -> Void) {
    self.value = value
    self.work = work
  }
  public func start() {
    let (value, work) = (value, work)
    DispatchQueue.global().async { work(value) }
  }
}

public protocol FiveDelegate: AnyObject {
  func done(_ number: Int)
  var limit: Int { get }
}

public protocol FiveSource {
  associatedtype Item
  func item(at index: Int) -> Item
}
