// Every public function of ThreadAffinity that takes a text, a value or a number; see Breadcrumbs.swift.
import Dispatch
import ThreadAffinity

let item = "bolts", part = item.dropFirst(), byte: UInt8 = 1, long: Int64 = 2
let maybe: String? = nil, name: StaticString = "a"
let queue = DispatchQueue(label: "a queue of \(item)")

func checks() {
  expectMainQueue()
  expectMainQueue("fixed")
  expectMainQueue("made of \(part)")
  expectMainQueue(item + String(part))
  expectMainQueue(maybe ?? "")
  if !expectMainQueue(item) { return }
  requireMainQueue("\(byte) of \(long)")
  let count: Int64? = assumingMainQueue("made of \(item)") { long }
  _ = count
  // expected-error@+1 {{cannot convert value of type 'String?' to expected argument type 'String'}}
  expectMainQueue(maybe)
  // expected-error@+1 {{'Substring') to expected argument type 'String'}}
  expectMainQueue(part)
  // expected-error@+1 {{cannot convert value of type 'UInt8' to expected argument type 'String'}}
  expectMainQueue(byte)
}

func affinities() {
  let home = Affinity.queue(queue), thread = Affinity.thread("\(item) \(part)")
  home.expect("made of \(long)")
  thread.require(item)
  home.async { _ = long }
  home.async(name) { _ = byte }
  let sum = uiWork("layout") { byte + 1 }
  _ = uiWork(name) { Int64(sum) }
  // expected-error@+1 {{type 'String' to expected argument type 'StaticString'}}
  uiWork(item) {}
  ViolationAllowList.add(
    .function("\(item)()"), .file(item + ".swift"), .message("made of \(part)"))
}

final class Board: @unchecked Sendable {
  func show(_ count: Int64, _ texts: [Substring]) {}
}

func hops(_ board: Board) {
  MainHop(board).send { $0.show(long, [part]) }
  QueueHop(board, to: queue, name).send { $0.show(long, []) }
  let answer = MainHop(board).ask(within: .seconds(byte), orElse: long) { _ in long + 1 }
  let missing = MainHop(board).ask(within: .milliseconds(long), orElse: maybe) { _ in item }
  _ = (answer, missing)
  let counts = MainHop(board).sender(coalescing: .latest) { (board: Board, counts: [UInt8]) in }
  counts(byte)
  let completion = hop("completion") { (count: Int64, text: Substring, maybe: String?) in }
  completion(long, part, maybe)
  completion(4, "literal", nil)
}
