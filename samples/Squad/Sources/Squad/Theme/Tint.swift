/// What a surface is for, which decides its color.
package enum Tint: Character, Sendable, CaseIterable {
  /// What everything stands on.
  case background = "."
  /// The bars of status and navigation.
  case bar = "b"
  /// The squad's strip.
  case squad = "s"
  /// What may be tapped to go on.
  case accent = "a"
  /// What may be tapped with regret.
  case danger = "d"
  /// What is being tapped.
  case highlight = "h"
  /// What has gone wrong.
  case notice = "n"
}

/// A view with a color of its own.
package protocol Tinted {
  var tint: Tint { get }
}
