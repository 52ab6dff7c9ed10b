import IncidentModel

/// What is kept for each hop by its name: few names, however many hops.
struct HopNames<Value> {
  private var values: [Int: Value] = [:]
  private let most = 4096
  private let initial: () -> Value

  init(_ initial: @escaping @autoclosure () -> Value) { self.initial = initial }

  /// The value for a hop of this name.
  subscript(name: String) -> Value {
    get { values[name.hashValue] ?? initial() }
    _modify {
      // A log that is made of nothing but names makes no more memory.
      if values.count >= most { values.removeAll() }
      yield &values[name.hashValue, default: initial()]
    }
  }
}
