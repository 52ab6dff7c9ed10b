/// Whole screens, as they should look.
enum ScreenTexts {
  static let loaded = """
    Sites [ Sort: none ]
    ⠀⣿⣿⣿⣿⣿⣿⠀  Tide tables
    ⠀⣿⣿⣿⣿⣿⣿⠀  High and low water for every harbour
    ⠀⣿⣿⣿⣿⣿⣿⠀  of the coast

    ⠀⣿⣿⣿⠀⠀⠀⠀  Moon
    ⠀⣿⣿⣿⠀⠀⠀⠀  Phases, and when to look up
    ⠀⣿⣿⣿⠀⠀⠀⠀

    ⠀⣿⣿⣿⠀⠀⠀⠀  almanac
    ⠀⣿⣿⣿⠀⠀⠀⠀  Sunrise, sunset, and what to sow
    ⠀⣿⣿⣿⠀⠀⠀⠀

              Night trains
    no image  Its icon's address is malformed


              Old press
    no image  Its icon is gone, and its own address
              malformed

              Zoo
    no image  Its icon is a page about an error
    """

  /// The page of the tides: what is above the empty lines, and what is below.
  static let tides = [
    "Tide tables",
    "Today",
    "─────",
    "",
    "• 05:12 high water",
    "• 11:26 low water",
    "",
    "The moon [1] makes them.",
    "",
    "[ 1 ]",
    "[ Done ] [ Reload ] [ Open in browser ]",
  ]
}
