import AffinityTesting
import HeadlessUI
import Testing

@MainActor
@Suite(.affinityChecked) struct ScrollViewTests {
  /// Comes to rest where a test says.
  private final class Chooser: ScrollViewDelegate {
    let place: Point
    var moves = 0

    init(_ place: Point) { self.place = place }

    func scrollViewDidScroll(_ scrollView: ScrollView) { moves += 1 }

    func scrollViewWillEndDragging(
      _ scrollView: ScrollView, targetContentOffset target: inout Point
    ) { target = place }
  }

  private let scroll: ScrollView

  init() {
    scroll = ScrollView(frame: Rect(x: 0, y: 0, width: 10, height: 4))
    scroll.contentSize = Size(width: 30, height: 4)
  }

  @Test func pagesSnapToTheNearest() {
    scroll.isPagingEnabled = true
    scroll.drag(by: Point(x: 4))
    #expect(scroll.contentOffset == .zero)
    scroll.drag(by: Point(x: 6))
    #expect(scroll.contentOffset == Point(x: 10))
    scroll.drag(by: Point(x: 100))
    #expect(scroll.contentOffset == Point(x: 20))
  }

  @Test func insetsCanBeScrolledInto() {
    scroll.contentInset = Insets(left: 2, right: 3)
    scroll.drag(by: Point(x: -100))
    #expect(scroll.contentOffset == Point(x: -2))
    scroll.drag(by: Point(x: 100))
    #expect(scroll.contentOffset == Point(x: 23))
  }

  @Test func aDelegateChoosesWhereItComesToRest() {
    let chooser = Chooser(Point(x: 7))
    scroll.scrollDelegate = chooser
    scroll.drag(by: Point(x: 1))
    #expect(scroll.contentOffset == Point(x: 7))
    #expect(chooser.moves == 1)
  }

  @Test func contentKeepsOutOfTheScreensEdges() {
    let window = Window(size: Size(width: 20, height: 10))
    window.screenEdges = Insets(top: 2, left: 1, bottom: 1)
    window.addSubview(scroll)
    window.layoutIfNeeded()
    #expect(scroll.safeAreaInsets == Insets(top: 2, left: 1, bottom: 1))
    #expect(scroll.limited(Point(x: -9, y: -9)) == Point(x: -1, y: -2))
    scroll.adjustsForSafeArea = false
    #expect(scroll.limited(Point(x: -9, y: -9)) == .zero)
  }

  @Test func onlyWhatIsSeenOfTheContentIsDrawn() {
    let window = Window(size: Size(width: 7, height: 3))
    window.addSubview(scroll)
    scroll.addSubview(Label("one two three", frame: Rect(x: 0, y: 0, width: 30, height: 1)))
    window.layoutIfNeeded()
    scroll.contentOffset = Point(x: 4)
    #expect(window.renderedText().contains("│two t│"))
  }
}
