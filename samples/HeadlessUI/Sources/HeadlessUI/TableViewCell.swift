import ThreadAffinity

/// A row of a table; used again for another row when its own has left the screen.
open class TableViewCell: View, @unchecked Sendable {
  /// The kind of cell that it was made as.
  public let reuseIdentifier: String
  /// Its text, for tables that show nothing else.
  public let textLabel = Label()

  /// A cell of a kind.
  public required init(reuseIdentifier: String) {
    self.reuseIdentifier = reuseIdentifier
    super.init()
    addSubview(textLabel)
  }

  /// Makes it ready for another row: what is still under way for the old one must not reach it.
  open func prepareForReuse() { textLabel.text = "" }

  open override func sizeThatFits(_ room: Size) -> Size { Size(width: room.width, height: 1) }

  open override func layoutSubviews() {
    textLabel.frame = Rect(origin: .zero, size: Size(width: frame.width, height: 1))
  }
}
