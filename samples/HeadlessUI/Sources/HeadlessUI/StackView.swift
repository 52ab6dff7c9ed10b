import ThreadAffinity

/// Places views one after the other.
open class StackView: View, @unchecked Sendable {
  /// Which way its views follow each other.
  public enum Axis: Sendable, Hashable {
    case horizontal, vertical
  }

  /// How its views share its room.
  public enum Distribution: Sendable, Hashable {
    /// Each as large as it likes; the rest stays empty.
    case natural
    /// Each as large as it likes; the last takes the rest.
    case fill
    /// All of one size.
    case fillEqually
  }

  /// Which way its views follow each other.
  @MainQueueBound("StackView.axis") public var axis = Axis.vertical {
    didSet { invalidateIntrinsicContentSize() }
  }
  /// Characters between two views.
  @MainQueueBound("StackView.spacing") public var spacing = 0 {
    didSet { invalidateIntrinsicContentSize() }
  }
  /// How its views share its room.
  @MainQueueBound("StackView.distribution") public var distribution = Distribution.natural {
    didSet { invalidateIntrinsicContentSize() }
  }
  /// The views it places, in order.
  @MainQueueBound("StackView.arrangedSubviews")
  public private(set) var arrangedSubviews: [View] = []

  /// A stack of views.
  public init(_ axis: Axis = .vertical, spacing: Int = 0, _ views: [View] = []) {
    super.init()
    self.axis = axis
    self.spacing = spacing
    for view in views { addArrangedSubview(view) }
  }

  /// Places a view after all others.
  public func addArrangedSubview(_ view: View) {
    insertArrangedSubview(view, at: arrangedSubviews.count)
  }

  /// Places a view before another.
  public func insertArrangedSubview(_ view: View, at index: Int) {
    expectMainQueue("StackView.insertArrangedSubview(_:at:)")
    arrangedSubviews.removeAll { $0 === view }
    arrangedSubviews.insert(view, at: min(index, arrangedSubviews.count))
    addSubview(view)
  }

  /// Places a view no more, and takes it out.
  public func removeArrangedSubview(_ view: View) {
    expectMainQueue("StackView.removeArrangedSubview(_:)")
    arrangedSubviews.removeAll { $0 === view }
    if view.superview === self { view.removeFromSuperview() }
  }

  open override func sizeThatFits(_ room: Size) -> Size {
    let edge = isBordered ? 2 : 0
    let inner = Size(width: room.width - edge, height: room.height - edge)
    let sizes = sizes(in: inner)
    let gaps = max(0, sizes.count - 1) * spacing
    let widths = sizes.map(\.width)
    let heights = sizes.map(\.height)
    return axis == .vertical
      ? Size(width: (widths.max() ?? 0) + edge, height: heights.reduce(gaps, +) + edge)
      : Size(width: widths.reduce(gaps, +) + edge, height: (heights.max() ?? 0) + edge)
  }

  open override func layoutSubviews() {
    let room = contentBounds
    var place = room.origin
    for (view, size) in zip(shown, sizes(in: room.size)) {
      if axis == .vertical {
        view.frame = Rect(
          origin: place, size: Size(width: room.width, height: size.height))
        place.y += size.height + spacing
      } else {
        view.frame = Rect(
          origin: place, size: Size(width: size.width, height: room.height))
        place.x += size.width + spacing
      }
    }
  }

  private var shown: [View] { arrangedSubviews.filter { !$0.isHidden } }

  private func sizes(in room: Size) -> [Size] {
    let shown = shown
    var sizes = shown.map { $0.sizeThatFits(room) }
    let along = axis == .vertical ? room.height : room.width
    let gaps = max(0, shown.count - 1) * spacing
    let lengths = sizes.map { axis == .vertical ? $0.height : $0.width }
    switch distribution {
    case .natural: break
    case .fill:
      if let last = lengths.last {
        let rest = max(last, along - gaps - lengths.dropLast().reduce(0, +))
        sizes[sizes.count - 1].set(rest, along: axis)
      }
    case .fillEqually:
      for index in sizes.indices {
        sizes[index].set(max(0, along - gaps) / sizes.count, along: axis)
      }
    }
    return sizes
  }
}

extension Size {
  fileprivate mutating func set(_ length: Int, along axis: StackView.Axis) {
    if axis == .vertical { height = length } else { width = length }
  }
}
