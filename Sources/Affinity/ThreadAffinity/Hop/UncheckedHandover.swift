/// A value on its way to another queue: the sender must not use it afterwards, which the compiler does not check.
struct UncheckedHandover<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}
