import HeadlessUI
import Testing

@testable import Browser

@Suite struct PageLayoutTests {
  private static let upright = PageLayout(
    viewport: Size(width: 30, height: 12), insets: Insets(top: 2, bottom: 1), pages: 4)
  private static let landscape = PageLayout(
    viewport: Size(width: 48, height: 8), insets: Insets(left: 5, bottom: 1, right: 3), pages: 4)

  @Test func uprightThePagesAreAScreenApart() {
    #expect((0..<4).map { Self.upright.offset(ofPage: $0).x } == [0, 30, 60, 90])
    #expect(Self.upright.contentSize == Size(width: 120, height: 12))
  }

  @Test func inLandscapeEachPageStandsBetweenTheEdges() {
    let layout = Self.landscape
    for page in 0..<4 {
      let frame = layout.frame(ofPage: page, keepsClear: false)
      #expect(frame.minX - layout.offset(ofPage: page).x == 5)
      #expect(frame.maxX - layout.offset(ofPage: page).x == 48 - 3)
    }
  }

  @Test func neighboursAtRestAreOutOfSight() {
    for layout in [Self.upright, Self.landscape] {
      for page in 1..<3 {
        let seen = Rect(origin: layout.offset(ofPage: page), size: layout.viewport)
        for neighbour in [page - 1, page + 1] {
          let frame = layout.frame(ofPage: neighbour, keepsClear: false)
          #expect(frame.intersection(seen).isEmpty)
        }
      }
    }
  }

  /// Why a scroll view's own paging will not do: its pages are as wide as the screen.
  @Test func aScreensWidthIsNoPageInLandscape() {
    let layout = Self.landscape
    #expect(layout.offset(ofPage: 2).x != 2 * layout.viewport.width)
    #expect(Self.upright.offset(ofPage: 2).x == 2 * Self.upright.viewport.width)
  }

  @Test func aPageIsFoundWhereItRestsAndNearby() {
    for layout in [Self.upright, Self.landscape] {
      for page in 0..<4 {
        let rest = layout.offset(ofPage: page)
        for distance in -layout.stride / 2 + 1..<layout.stride / 2 {
          #expect(layout.page(at: Point(x: rest.x + distance)) == page)
        }
      }
      #expect(layout.page(at: Point(x: -500)) == 0)
      #expect(layout.page(at: Point(x: 5000)) == 3)
    }
  }

  @Test func itComesToRestAtTheNearestPageButNotFurtherThanANeighbour() {
    for layout in [Self.upright, Self.landscape] {
      let start = layout.offset(ofPage: 1)
      for distance in -200...200 {
        let proposed = Point(x: start.x + distance)
        let target = layout.targetOffset(forProposed: proposed, from: 1)
        let page = layout.page(at: target)
        #expect(target == layout.offset(ofPage: page))
        #expect((0...2).contains(page))
      }
      let bit = Point(x: start.x + layout.stride / 2 + 1)
      #expect(layout.targetOffset(forProposed: bit, from: 1) == layout.offset(ofPage: 2))
    }
  }

  @Test func whatDoesNotScrollKeepsClearOfAllEdges() {
    let frame = Self.upright.frame(ofPage: 1, keepsClear: true)
    #expect(frame == Rect(x: 30, y: 2, width: 30, height: 9))
  }

  @Test func withoutPagesThereIsNothingToScroll() {
    let layout = PageLayout(viewport: Size(width: 9, height: 9), insets: .zero, pages: 0)
    #expect(layout.contentSize.width == 0)
    #expect(layout.page(at: Point(x: 40)) == 0)
  }

  @Test func onlyThePageAndItsNeighboursArePrepared() {
    let plan = PagePlan(reach: 1)
    #expect(plan.prepared(around: 0, of: 5) == 0..<2)
    #expect(plan.prepared(around: 2, of: 5) == 1..<4)
    #expect(plan.prepared(around: 4, of: 5) == 3..<5)
    #expect(plan.prepared(around: 0, of: 1) == 0..<1)
    #expect(plan.prepared(around: 0, of: 0).isEmpty)
  }
}
