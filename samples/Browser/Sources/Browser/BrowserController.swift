import HeadlessUI
import ThreadAffinity

/// Pages from one controller to the next, as many as its data source has.
///
/// Controllers are made when they or a neighbour are about to be seen, and let go when they are far. Of
/// its children only the one that is seen has appeared.
package final class BrowserController: ViewController, @unchecked Sendable {
  private weak var source: (any BrowserDataSource)?
  private let plan = PagePlan(reach: 1)
  private let browserView = BrowserView()
  private var controllers: [Int: ViewController] = [:]
  /// Called with each page that is shown.
  package var onPage: ((Int) -> Void)?

  /// A browser of what the data source has, which is held weakly.
  package init(_ source: any BrowserDataSource) {
    self.source = source
    super.init()
  }

  /// The page that is seen.
  package var page: Int { browserView.page }

  /// The controller that is seen; nil where there is no page.
  package var currentController: ViewController? { controllers[page] }

  /// The pages that have a controller, in order.
  package var preparedPages: [Int] { controllers.keys.sorted() }

  package override var childrenToTell: [ViewController] { currentController.map { [$0] } ?? [] }

  package override func makeView() -> View { browserView }

  package override func viewDidLoad() {
    browserView.scrollDelegate = self
    reloadData()
  }

  /// Asks the data source for everything anew; the page stays, as far as there is one.
  package func reloadData() {
    expectMainQueue("BrowserController.reloadData()")
    for page in preparedPages { letGo(of: page) }
    browserView.pages = source?.numberOfPages(in: self) ?? 0
    browserView.page = min(page, max(0, browserView.pages - 1))
    prepare()
    settle()
    currentController?.setVisible(isVisible)
  }

  /// Scrolls to a page; to the nearest where there is none such.
  package func show(page: Int) {
    expectMainQueue("BrowserController.show(page:)")
    view.layoutIfNeeded()
    move(to: min(max(0, page), max(0, browserView.pages - 1)))
    settle()
  }

  /// Lets go of all that nobody sees and that may go, as when memory is short.
  package func letGoOfHidden() {
    expectMainQueue("BrowserController.letGoOfHidden()")
    for page in preparedPages where page != self.page { letGoIfPossible(of: page) }
  }

  // MARK: - Pages

  private func move(to next: Int) {
    guard next != page || currentController == nil else { return }
    let last = currentController
    browserView.page = next
    prepare()
    last?.setVisible(false)
    currentController?.setVisible(isVisible)
    for page in preparedPages where !wanted.contains(page) { letGoIfPossible(of: page) }
    onPage?(next)
  }

  private var wanted: Range<Int> { plan.prepared(around: page, of: browserView.pages) }

  /// Makes the controllers that are wanted and missing.
  private func prepare() {
    guard let source else { return }
    for page in wanted where controllers[page] == nil {
      let controller = source.browser(self, controllerForPage: page)
      controllers[page] = controller
      addChild(controller)
      browserView.setPageView(controller.view, at: page)
    }
  }

  private func letGoIfPossible(of page: Int) {
    guard let controller = controllers[page] else { return }
    if source?.browser(self, mayLetGoOf: controller, forPage: page) ?? true { letGo(of: page) }
  }

  private func letGo(of page: Int) {
    controllers.removeValue(forKey: page)?.removeFromParent()
    browserView.setPageView(nil, at: page)
  }

  /// Comes to rest at the page that is seen.
  private func settle() {
    browserView.layoutIfNeeded()
    browserView.contentOffset = browserView.currentLayout().offset(ofPage: page)
  }
}

extension BrowserController: ScrollViewDelegate {
  /// Whoever is seen most of is the page.
  package func scrollViewDidScroll(_ scrollView: ScrollView) {
    if browserView.isTurning { return }
    move(to: browserView.currentLayout().page(at: scrollView.contentOffset))
  }

  /// Comes to rest at a page, and not between two.
  package func scrollViewWillEndDragging(
    _ scrollView: ScrollView, targetContentOffset target: inout Point
  ) {
    target = browserView.currentLayout().targetOffset(forProposed: target, from: page)
  }
}
