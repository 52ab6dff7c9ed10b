public import Foundation
public import HeadlessUI

/// Shows a shop: its products with their prices, and a way to try again.
public final class ShopController: ViewController, @unchecked Sendable {
  private let shop: Shop
  private let table = TableView()
  private let status = Label()
  private let retry = Button("Try again")
  private var rows: [ShopRow] = []

  /// The screen of a shop.
  public init(_ shop: Shop) {
    self.shop = shop
    super.init()
    title = "Shop"
  }

  /// A line of state above the products.
  public override func makeView() -> View {
    let stack = StackView(.vertical, [status, retry, table])
    stack.distribution = .fill
    return stack
  }

  /// Shows what the shop says from now on.
  public override func viewDidLoad() {
    status.accessibilityLabel = "status"
    table.dataSource = self
    retry.onTap = { [weak self] in self?.shop.load() }
    shop.observe { [weak self] in self?.show($0) }
  }

  /// Asks the store.
  public override func viewDidAppear() { if shop.state.phase == .idle { shop.load() } }

  /// Gives up what nobody waits for any more.
  public override func viewWillDisappear() { shop.cancel() }

  private func show(_ state: ShopState) {
    status.text = state.summary
    if case .failed = state.phase { retry.isHidden = false } else { retry.isHidden = true }
    if rows != state.rows {
      rows = state.rows
      table.reloadData()
    }
  }
}

extension ShopController: TableViewDataSource {
  /// A row for each product.
  public func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
    rows.count
  }

  /// The title and the price.
  public func tableView(
    _ tableView: TableView, cellForRowAt indexPath: IndexPath
  ) -> TableViewCell {
    let row = rows[indexPath.row]
    let cell = tableView.dequeueReusableCell(withIdentifier: "product")
    cell.textLabel.text = "\(row.product.title): \(row.price)"
    return cell
  }
}
