// swift-format-ignore-file
// Generated; to generate it again:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol Editor --output Tests/Unit/HopShimTests/Shims/EditorHop.swift --module ShimmedProtocols --wait check=2 --wait save=2 --wait typed=2 --default 'typed=throw EditorError(code: 9)' --wait adjust=2 --wait swap=2 --default swap=false --wait mixed=2 --wait size=2 --default size=5

import ShimmedProtocols
import ThreadAffinity

/// Moves every call of a `Editor` to the main queue, in order. Holds its target weakly.
final class EditorHop: Editor, Sendable {
  /// The hop to the target; `cancel()` drops pending and later calls.
  let hop: MainHop<any Editor>

  /// Creates a shim for `target`, and holds it weakly.
  init(
    _ target: any Editor, delivery: HopDelivery = .automatic,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    hop = MainHop(
      target, "Editor", delivery: delivery,
      file: file, line: line, column: column, function: function)
  }

  func check(_ number: Int) throws -> String {
    let answer = hop.ask(
      within: .seconds(2), orElse: Result<String, any Error>.failure(CancellationError())
    ) { target in
      return Result { () throws -> String in try target.check(number) }
    }
    return try answer.get()
  }

  func save(_ number: Int) throws {
    let answer = hop.ask(
      within: .seconds(2), orElse: Result<Void, any Error>.failure(CancellationError())
    ) { target in
      return Result { () throws -> Void in try target.save(number) }
    }
    try answer.get()
  }

  func typed(_ number: Int) throws(EditorError) -> Int {
    let answer = hop.ask(
      within: .seconds(2), orElse: Result<Int, EditorError>.failure(EditorError(code: 9))
    ) { target in
      return Result { () throws(EditorError) -> Int in try target.typed(number) }
    }
    return try answer.get()
  }

  func adjust(_ number: inout Int) {
    let answer = hop.ask(within: .seconds(2), orElse: nil) {
      [oldNumber = HopArgument(number)] target -> Int? in
      var number = oldNumber.value
      target.adjust(&number)
      return number
    }
    guard let answer else { return }
    number = answer
  }

  func swap(_ number: inout Int, _ other: inout String) -> Bool {
    let answer = hop.ask(within: .seconds(2), orElse: nil) {
      [
        oldNumber = HopArgument(number), oldOther = HopArgument(other)
      ] target -> (Bool, Int, String)? in
      var number = oldNumber.value
      var other = oldOther.value
      let result = target.swap(&number, &other)
      return (result, number, other)
    }
    guard let answer else { return false }
    number = answer.1
    other = answer.2
    return answer.0
  }

  func mixed(_ step: Int, _ number: inout Int) {
    let answer = hop.ask(within: .seconds(2), orElse: nil) {
      [oldNumber = HopArgument(number)] target -> Int? in
      var number = oldNumber.value
      target.mixed(step, &number)
      return number
    }
    guard let answer else { return }
    number = answer
  }

  var size: Int {
    get throws {
      let answer = hop.ask(
        within: .seconds(2), orElse: Result<Int, any Error>.success(5)
      ) { target in
        return Result { () throws -> Int in try target.size }
      }
      return try answer.get()
    }
  }

  /// An argument on its way to the target: the caller must not use it afterwards.
  private struct HopArgument<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }
}
