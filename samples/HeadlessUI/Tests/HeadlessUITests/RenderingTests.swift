import AffinityTesting
import HeadlessUI
import Testing

@MainActor
@Suite(.affinityChecked) struct RenderingTests {
  @Test func aWindowDrawsItsFrameAndItsStack() {
    let window = Window(size: Size(width: 24, height: 8), title: "Prices")
    let price = Label("120 for a pound of apples", lines: 0)
    let buy = Button("Buy")
    window.addSubview(StackView(.vertical, [Label("Apples"), price, buy]))
    #expect(
      window.renderedText() == """
        ┌─ Prices ─────────────┐
        │Apples                │
        │120 for a pound of    │
        │apples                │
        │[ Buy ]               │
        │                      │
        │                      │
        └──────────────────────┘
        """)
  }

  @Test func whatIsHiddenTakesNoRoom() {
    let window = Window(size: Size(width: 12, height: 4))
    let first = Label("first")
    window.addSubview(StackView(.vertical, [first, Label("second")]))
    first.isHidden = true
    #expect(window.renderedText().contains("│second    │\n│          │"))
  }

  @Test func whatDoesNotFitIsCutOff() {
    let window = Window(size: Size(width: 10, height: 3))
    window.addSubview(Label("far too long"))
    #expect(window.renderedText().contains("│far too…│"))
  }
}
