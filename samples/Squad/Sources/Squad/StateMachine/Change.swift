/// Makes a value out of another one, with some of its properties changed.
package func with<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
  var changed = value
  change(&changed)
  return changed
}
