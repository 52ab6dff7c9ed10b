import HeadlessUI
import ThreadAffinity

/// A row of the list: a site's image, its name and what it is about.
public final class SiteRowView: TableViewCell, @unchecked Sendable {
  /// How many lines a row takes, the empty one below it included.
  static let height = 4

  private static let iconSize = Size(width: 8, height: 3)

  private let icon = ImageView()
  private let name = Label()
  private let about = Label(lines: 2)
  private var load: ImageLoad?
  private var texts = Localization(preferring: [])
  /// How far the row's image has come; nil before there is a site.
  @MainQueueBound("SiteRowView.phase") private(set) var phase: ImagePhase? = nil

  /// Whether the image is still on its way.
  public var isWaitingForImage: Bool { phase == .loading }

  /// A row without a site.
  public required init(reuseIdentifier: String) {
    super.init(reuseIdentifier: reuseIdentifier)
    for view in [icon, name, about] { addSubview(view) }
  }

  /// Shows a site, and its image as soon as that has come.
  func show(
    _ site: Site, images: ImageLoader, from source: ImageLoader.Source, _ texts: Localization
  ) {
    self.texts = texts
    accessibilityLabel = site.name
    name.text = site.name
    about.text = site.description
    // Two columns and four lines of dots make one character of braille.
    load = images.load(
      site.icon, width: Self.iconSize.width * 2, height: Self.iconSize.height * 4, from: source
    ) { [weak self] phase in
      self?.show(phase)
    }
  }

  private func show(_ phase: ImagePhase) {
    self.phase = phase
    switch phase {
    case .loading: icon.image = Image(name: "loading", rows: ["⣀⣀⣀⣀⣀⣀⣀⣀"])
    case .success(let bitmap): icon.image = Image(name: "icon", rows: bitmap.braille())
    case .failure: icon.image = Image(name: "missing", rows: missing)
    }
  }

  private var missing: [String] {
    let text = texts(.imageMissing).prefix(Self.iconSize.width)
    return ["", String(repeating: " ", count: (Self.iconSize.width - text.count) / 2) + text]
  }

  /// Lets go of the site: its image, should it still come, is not for the next one.
  public override func prepareForReuse() {
    super.prepareForReuse()
    stopLoading()
    phase = nil
    icon.image = nil
  }

  /// Takes the request for the image back, if it is still under way.
  func stopLoading() {
    load?.cancel()
    load = nil
  }

  /// The image on the left, the text beside it.
  public override func layoutSubviews() {
    icon.frame = Rect(origin: .zero, size: Self.iconSize)
    let left = Self.iconSize.width + 2
    let width = max(0, frame.width - left)
    name.frame = Rect(x: left, y: 0, width: width, height: 1)
    about.frame = Rect(x: left, y: 1, width: width, height: 2)
  }
}
