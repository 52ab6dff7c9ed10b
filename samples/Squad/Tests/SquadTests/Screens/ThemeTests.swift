import AffinityTesting
import HeadlessUI
import Testing

@testable import Squad

extension OnScreen {
  @MainActor @Suite(.affinityChecked) struct ThemeTests {
    @Test func eachThemeHasAColorOfItsOwnForEachSurface() {
      #expect(Theme(named: "dark") == .dark)
      #expect(Theme(named: "blue") == nil)
      for theme in [Theme.light, .dark] {
        let colors = Tint.allCases.map(theme.color)
        #expect(Set(colors).count == colors.count)
        #expect(!colors.contains(theme.text))
      }
      for tint in Tint.allCases {
        #expect(Theme.light.color(of: tint) != Theme.dark.color(of: tint))
      }
    }

    @Test func aScreenIsPaintedInItsThemesColors() {
      let panel = TintedView(.notice)
      panel.frame = Rect(x: 0, y: 0, width: 4, height: 1)
      let painted = ScreenColors(of: panel).painted("ab", in: .dark)
      #expect(
        painted == Theme.dark.text.textCode + Theme.dark.color(of: .notice).backgroundCode
          + "ab  \u{1B}[0m")
    }

    @Test func whatIsScrolledOutOfSightIsNotPainted() {
      let scroll = ScrollView(frame: Rect(x: 0, y: 0, width: 2, height: 2))
      let panel = TintedView(.accent)
      panel.frame = Rect(x: 0, y: 1, width: 9, height: 1)
      scroll.addSubview(panel)
      #expect(ScreenColors(of: scroll).text == "..\naa")
      scroll.contentSize = Size(width: 2, height: 3)
      scroll.contentOffset = Point(x: 0, y: 1)
      #expect(ScreenColors(of: scroll).text == "aa\n..")
    }
  }
}
