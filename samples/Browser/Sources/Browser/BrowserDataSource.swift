import HeadlessUI

/// Makes the pages of a browser, and says how many there are.
package protocol BrowserDataSource: AnyObject {
  func numberOfPages(in browser: BrowserController) -> Int

  /// The controller of a page; asked for when the page or a neighbour is about to be seen.
  func browser(_ browser: BrowserController, controllerForPage page: Int) -> ViewController

  /// Whether the controller of a page that is far from sight may go, to be made again when needed.
  func browser(
    _ browser: BrowserController, mayLetGoOf controller: ViewController, forPage page: Int
  ) -> Bool
}

extension BrowserDataSource {
  /// A navigation controller that was gone into stays: made again, it would have forgotten how far.
  package func browser(
    _ browser: BrowserController, mayLetGoOf controller: ViewController, forPage page: Int
  ) -> Bool {
    ((controller as? NavigationController)?.viewControllers.count ?? 1) <= 1
  }
}
