/// The newest of what was added, up to a number.
struct RecentList<Element> {
  private var elements: [Element] = []
  private var first = 0
  let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { elements.count }

  /// The element at `index`, the oldest at 0.
  subscript(index: Int) -> Element { elements[(first + index) % elements.count] }

  mutating func add(_ element: Element) {
    if elements.count < capacity {
      elements.append(element)
    } else {
      elements[first] = element
      first = (first + 1) % capacity
    }
  }
}

extension RecentList: Sendable where Element: Sendable {}
