/// How the app looks: handed to every screen, and no screen has a color of its own.
package struct Theme: Sendable, Hashable {
  /// What is left between things, in characters.
  package static let spacing = 1

  package let text: Color
  private let surfaces: [Tint: Color]

  /// The color of a surface.
  package func color(of tint: Tint) -> Color { surfaces[tint] ?? text }

  /// A theme by its name, `light` or `dark`; nil for any other.
  package init?(named name: String) {
    switch name {
    case "light": self = .light
    case "dark": self = .dark
    default: return nil
    }
  }

  private init(text: Color, surfaces: [Tint: Color]) {
    self.text = text
    self.surfaces = surfaces
  }

  /// For the day.
  package static let light = Theme(
    text: Color(20, 20, 24),
    surfaces: [
      .background: Color(250, 250, 250), .bar: Color(236, 29, 36), .squad: Color(228, 228, 232),
      .accent: Color(120, 190, 255), .danger: Color(255, 140, 130),
      .highlight: Color(255, 214, 90), .notice: Color(255, 236, 170),
    ])

  /// For the night.
  package static let dark = Theme(
    text: Color(235, 235, 240),
    surfaces: [
      .background: Color(18, 18, 20), .bar: Color(120, 10, 16), .squad: Color(38, 38, 44),
      .accent: Color(20, 80, 150), .danger: Color(140, 30, 30), .highlight: Color(140, 110, 20),
      .notice: Color(90, 70, 10),
    ])
}
