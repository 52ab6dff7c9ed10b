import AffinityTesting
import HeadlessUI
import Testing

@MainActor @Suite(.affinityChecked) struct RefreshControlTests {
  private func scrollView() -> ScrollView {
    ScrollView(frame: Rect(x: 0, y: 0, width: 10, height: 4))
  }

  @Test func itIsPulledByWhatIsLeftOfTheWayAtTheTop() {
    let view = scrollView()
    var refreshes = 0
    view.addSubview(RefreshControl { refreshes += 1 })
    view.contentSize = Size(width: 10, height: 20)
    view.contentOffset = Point(x: 0, y: 5)
    view.pullDown(by: 3)
    #expect(view.contentOffset.y == 2)
    view.pullDown(by: 3)
    #expect(refreshes == 0)
    #expect(view.contentOffset.y == 0)
    view.pullDown(by: 2)
    #expect(refreshes == 1)
    #expect(view.contentOffset.y == 0)
  }

  @Test func withoutOneNothingHappens() {
    let view = scrollView()
    view.pullDown(by: 5)
    #expect(view.contentOffset == .zero)
  }
}
