// swift-format-ignore-file
// Generated; to generate it again:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol Reader --module ShimmedProtocols --output Tests/Unit/HopShimTests/Shims/ReaderHop.swift --isolated --default 'reader(_:shouldGoOn:)=false' --wait pages=2 --wait turn=2 --default turn=false --default mark=false --wait position=2 --default position=0 --wait subscript=2 --default subscript=0

import ShimmedProtocols
import ThreadAffinity

/// The requirements of `Reader`, for a class isolated to the main actor.
@MainActor
protocol ReaderOnMain: AnyObject {
  func renamed(_ name: String)
  func opened(_ page: Int, of box: Box)
  func reader(_ name: String, shouldGoOn: @escaping @Sendable (Bool) -> Void)
  func pages(of name: String) throws -> Int
  func turn(_ page: inout Int) -> Bool
  func load(_ number: Int) async throws -> String
  @discardableResult
  func mark(page number: Int) -> Bool
  var position: Int { get set }
  subscript(_ mark: String) -> Int { get set }
}

/// Moves every call of a `Reader` to the main queue, in order. Holds its target weakly.
final class ReaderHop: Reader, Sendable {
  /// The hop to the target; `cancel()` drops pending and later calls.
  let hop: MainHop<any ReaderOnMain>

  /// Creates a shim for `target`, and holds it weakly.
  init(
    _ target: any ReaderOnMain, delivery: HopDelivery = .automatic,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    hop = MainHop(
      target, "Reader", delivery: delivery,
      file: file, line: line, column: column, function: function)
  }

  func renamed(_ name: String) {
    hop.send { target in
      target.renamed(name)
    }
  }

  func opened(_ page: Int, of box: Box) {
    hop.send { [box = HopArgument(box)] target in
      target.opened(page, of: box.value)
    }
  }

  func reader(_ name: String, shouldGoOn: @escaping @Sendable (Bool) -> Void) {
    hop.send { target in
      target.reader(name, shouldGoOn: shouldGoOn)
    } orElse: {
      shouldGoOn(false)
    }
  }

  func pages(of name: String) throws -> Int {
    let answer = hop.ask(
      within: .seconds(2), orElse: Result<Int, any Error>.failure(CancellationError())
    ) { target in
      return Result { () throws -> Int in try target.pages(of: name) }
    }
    return try answer.get()
  }

  func turn(_ page: inout Int) -> Bool {
    let answer = hop.ask(within: .seconds(2), orElse: nil) {
      [oldPage = HopArgument(page)] target -> (Bool, Int)? in
      var page = oldPage.value
      let result = target.turn(&page)
      return (result, page)
    }
    guard let answer else { return false }
    page = answer.1
    return answer.0
  }

  func load(_ number: Int) async throws -> String {
    return try await hop.ask(orElse: .failure(CancellationError())) { (target) async throws -> String in
      return try await target.load(number)
    }
  }

  @discardableResult
  func mark(page number: Int) -> Bool {
    hop.send { target in
      _ = target.mark(page: number)
    }
    return false
  }

  var position: Int {
    get {
      return hop.ask(within: .seconds(2), orElse: 0) { target in
        return target.position
      }
    }
    set {
      hop.send { [newValue = HopArgument(newValue)] target in
        target.position = newValue.value
      }
    }
  }

  subscript(_ mark: String) -> Int {
    get {
      return hop.ask(within: .seconds(2), orElse: 0) { target in
        return target[mark]
      }
    }
    set {
      hop.send { [newValue = HopArgument(newValue)] target in
        target[mark] = newValue.value
      }
    }
  }

  /// An argument on its way to the target: the caller must not use it afterwards.
  private struct HopArgument<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }
}
