private final class Node {
  let next: Node?
  init(next: Node?) { self.next = next }
  deinit { compareWalks("deinit") }
}

private struct Key: Hashable {
  let value: Int
  func hash(into hasher: inout Hasher) {
    compareWalks("Hashable")
    hasher.combine(value)
  }
}

private struct Failure: Error {}

private protocol Greeting {
  func greet()
}
extension Greeting {
  func greet() { compareWalks("a protocol extension") }
}
private struct Greeter: Greeting {}

@inline(never)
private func recurse(_ depth: Int) -> Int {
  if depth == 0 {
    compareWalks("recursion")
    return 0
  }
  return recurse(depth - 1) + 1
}

@inline(never)
private func callGenerically<T: Greeting>(_ value: T) { value.greet() }

@inline(never)
private func throwing() throws { throw Failure() }

extension Subject {
  static let language: [Subject] = [
    Subject("closure") {
      let captured = Int.random(in: 0...1)
      let closure: (Int) -> Void = { _ in compareWalks("a closure") }
      [captured].forEach(closure)
    },
    Subject("deinit") {
      var list: Node? = Node(next: Node(next: Node(next: nil)))
      withExtendedLifetime(list) {}
      list = nil
    },
    Subject("recursion") { _ = recurse(500) },
    Subject("protocol") {
      callGenerically(Greeter())
      let any: any Greeting = Greeter()
      any.greet()
    },
    Subject("throw") {
      do {
        defer { compareWalks("defer") }
        try throwing()
      } catch {
        compareWalks("catch")
      }
    },
    Subject("Hashable") {
      var set: Set<Key> = []
      for value in 0..<3 { set.insert(Key(value: value)) }
    },
    Subject("lazy global") { _ = lazily },
    Subject("key path") {
      _ = ["a", "bb"].map(\.counted)
    },
  ]
}

private let lazily: Int = {
  compareWalks("a lazy global")
  return 1
}()

extension String {
  fileprivate var counted: Int {
    compareWalks("a key path")
    return count
  }
}
