/// Which pages have a controller: the one that is seen, its neighbours, and none that is far.
struct PagePlan: Hashable {
  /// How far from the page that is seen pages are made before anybody sees them.
  let reach: Int

  /// The pages that should have a controller.
  func prepared(around page: Int, of pages: Int) -> Range<Int> {
    guard pages > 0 else { return 0..<0 }
    return max(0, page - reach)..<min(pages, page + reach + 1)
  }
}
