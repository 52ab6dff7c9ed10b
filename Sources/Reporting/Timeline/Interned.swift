/// Values, each under a number, in the order in which they came.
struct Interned<Value: Hashable> {
  private(set) var all: [Value] = []
  private var numbers: [Value: Int] = [:]

  mutating func number(of value: Value) -> Int {
    if let number = numbers[value] { return number }
    numbers[value] = all.count
    all.append(value)
    return all.count - 1
  }
}
