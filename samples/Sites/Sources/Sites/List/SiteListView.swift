import Foundation
import HeadlessUI
import Observation
import ThreadAffinity

/// Shows what the model publishes: the rows, the wheel while it loads, or what went wrong.
public final class SiteListView: View, @unchecked Sendable {
  /// Sorts in the next way; says how it is sorted.
  public let sortButton = Button()
  /// The rows.
  public let table = TableView()
  /// What a tap on a site does.
  var onOpen: (Site) -> Void = { _ in }

  private let model: SiteListViewModel
  private let images: ImageLoader
  private let texts: Localization
  private let wheel: LoadingWheel
  private let message = Label(lines: 0)
  private let retryButton: Button
  /// The sites that the table shows.
  private var shown: [Site] = []
  /// The images that were asked for since the last refresh; nil before the first one.
  private var refreshed: Set<WebAddress>?
  /// Whether the rows must be shown again once the refresh has ended, even with the same sites.
  private var isRefreshing = false
  /// Whether the model has changed since it was last shown.
  private var isStale = true

  /// Shows a model, in whatever state it is.
  init(model: SiteListViewModel, images: ImageLoader, localization: Localization) {
    self.model = model
    self.images = images
    texts = localization
    wheel = LoadingWheel(localization(.loading))
    retryButton = Button(localization(.retry))
    super.init()
    retryButton.onTap = { [model] in model.loadSites() }
    sortButton.onTap = { [model] in model.toggleSort() }
    setUpTable()
    for view in [wheel, message, retryButton, table] { addSubview(view) }
  }

  private func setUpTable() {
    table.accessibilityLabel = texts(.title)
    table.register(SiteRowView.self, forCellReuseIdentifier: "site")
    table.rowHeight = SiteRowView.height
    table.dataSource = self
    table.delegate = self
    table.addSubview(RefreshControl { [weak self] in self?.refresh() })
  }

  /// Shows the model if it has changed, and places what is shown from top to bottom.
  public override func layoutSubviews() {
    if isStale { follow() }
    var rest = contentBounds
    for view in [wheel, message, retryButton] where !view.isHidden {
      let height = view.sizeThatFits(rest.size).height
      view.frame = Rect(x: rest.minX, y: rest.minY, width: rest.width, height: height)
      rest = rest.inset(by: Insets(top: height))
    }
    table.frame = rest
  }

  /// Shows the model, and asks to be laid out when what it showed has changed.
  private func follow() {
    isStale = false
    withObservationTracking {
      show(model.sites, isLoading: model.isLoading)
      show(model.errorMessage, isLoading: model.isLoading, areSaved: model.areSaved)
      sortButton.title = texts.title(of: model.sortState)
    } onChange: { [weak self] in
      self?.setNeedsLayout()
      self?.isStale = true
    }
  }

  /// Asks for the sites, and for their images, anew.
  private func refresh() {
    refreshed = []
    isRefreshing = true
    model.loadSites()
  }

  private func show(_ sites: [Site], isLoading: Bool) {
    let endsRefresh = isRefreshing && !isLoading
    guard sites != shown || endsRefresh else { return }
    if endsRefresh { isRefreshing = false }
    shown = sites
    table.reloadData()
  }

  /// After a refresh each image is asked for once at its address.
  private func imageSource(of site: Site) -> ImageLoader.Source {
    refreshed?.insert(site.icon).inserted == true ? .address : .saved
  }

  private func show(_ error: String?, isLoading: Bool, areSaved: Bool) {
    if isLoading { wheel.startAnimating() } else { wheel.stopAnimating() }
    let text = areSaved ? texts(.saved, error ?? "") : error
    let isEmpty = shown.isEmpty && !isLoading
    message.text = text ?? (isEmpty ? texts(.empty) : "")
    message.isHidden = message.text.isEmpty
    retryButton.isHidden = error == nil || !isEmpty
  }
}

extension SiteListView: TableViewDataSource, TableViewDelegate {
  /// One row for each site.
  public func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
    shown.count
  }

  /// The row of a site.
  public func tableView(
    _ tableView: TableView, cellForRowAt indexPath: IndexPath
  ) -> TableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "site")
    if let row = cell as? SiteRowView, shown.indices.contains(indexPath.row) {
      let site = shown[indexPath.row]
      row.show(site, images: images, from: imageSource(of: site), texts)
    }
    return cell
  }

  /// Opens the site.
  public func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath) {
    if shown.indices.contains(indexPath.row) { onOpen(shown[indexPath.row]) }
  }

  /// Takes the image's request back: nobody will see it.
  public func tableView(
    _ tableView: TableView, didEndDisplaying cell: TableViewCell, forRowAt indexPath: IndexPath
  ) {
    (cell as? SiteRowView)?.stopLoading()
  }
}
