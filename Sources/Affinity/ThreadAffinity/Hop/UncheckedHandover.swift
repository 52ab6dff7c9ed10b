/// A value that is transferred to another queue. The sender must not use the value afterwards; the compiler
/// does not check this.
struct UncheckedHandover<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}
