public import Foundation

/// Says what a table shows.
public protocol TableViewDataSource: AnyObject {
  func numberOfSections(in tableView: TableView) -> Int
  func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int
  func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell
  func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String?
}

extension TableViewDataSource {
  /// One section, unless overridden.
  public func numberOfSections(in tableView: TableView) -> Int { 1 }

  /// No header, unless overridden.
  public func tableView(
    _ tableView: TableView, titleForHeaderInSection section: Int
  ) -> String? { nil }
}
