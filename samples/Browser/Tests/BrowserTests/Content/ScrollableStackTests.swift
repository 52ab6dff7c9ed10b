import AffinityTesting
import HeadlessUI
import Testing

@testable import Browser

@MainActor
@Suite(.affinityChecked) struct ScrollableStackTests {
  private let controller: ScrollableStackController
  private let window: Window

  // Said in words, so that they are made on the main queue.
  init() {
    controller = ScrollableStackController()
    window = Window(size: Size(width: 12, height: 8))
  }

  private func show(_ lines: Int, edges: Insets = .zero) {
    controller.setViews((1...lines).map { Label("line \($0)") })
    window.screenEdges = edges
    window.rootViewController = controller
    window.layoutIfNeeded()
  }

  private var lines: [String] {
    window.renderedText().split(separator: "\n").dropFirst().dropLast().map {
      $0.trimmingPrefix("│").prefix { $0 != "│" }.trimmingSuffix()
    }
  }

  @Test func whatFitsIsNotScrolled() {
    show(3)
    controller.scroll.drag(by: Point(y: 5))
    #expect(lines == ["line 1", "line 2", "line 3", "", "", ""])
  }

  @Test func whatIsTooHighIsScrolledToItsEnd() {
    show(9)
    #expect(lines.first == "line 1")
    controller.scroll.drag(by: Point(y: 100))
    #expect(lines == (4...9).map { "line \($0)" })
  }

  @Test func itBeginsBelowTheNotchAndRunsBehindIt() {
    show(9, edges: Insets(top: 2, bottom: 1))
    #expect(lines == ["", "", "line 1", "line 2", "line 3", "line 4"])
    controller.scroll.drag(by: Point(y: 3))
    #expect(lines == (2...7).map { "line \($0)" })
    controller.scroll.drag(by: Point(y: 100))
    #expect(lines == (5...9).map { "line \($0)" } + [""])
  }

  @Test func longTextsTakeTheWidthThatThereIs() {
    controller.setViews([Label("one two three four", lines: 0)])
    window.screenEdges = Insets(left: 2, right: 2)
    window.rootViewController = controller
    window.layoutIfNeeded()
    #expect(lines.prefix(4) == ["  one", "  two", "  three", "  four"])
  }

  @Test func otherViewsTakeThePlaceOfThoseBefore() {
    show(9)
    controller.scroll.drag(by: Point(y: 100))
    controller.setViews([Label("alone")])
    window.layoutIfNeeded()
    #expect(lines == ["alone", "", "", "", "", ""])
  }
}

extension Substring {
  /// The text without the spaces at its end.
  fileprivate func trimmingSuffix() -> String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}
