/// A key press.
package enum WatchKey: Sendable, Equatable {
  case character(Character)
  case up, down, pageUp, pageDown, home, end, tab, backTab, enter, escape, backspace
}

/// The current view and selection, and their changes by keys.
package struct WatchControls: Sendable, Equatable {
  package enum View: Int, CaseIterable, Sendable {
    case overview, crumbs, violations, threads, queues, hops

    /// True if the view is read from the top; other views are read from the newest line at the
    /// bottom.
    var isTable: Bool { self == .threads || self == .queues || self == .hops }
  }

  /// The text that the user is typing.
  enum Prompt: String, Sendable {
    case text = "find"
    case thread, category
  }

  package private(set) var view = View.overview
  /// The number of lines scrolled from the newest, or from the top of a table.
  private(set) var scroll = 0
  package private(set) var isPaused = false
  package private(set) var showsHelp = false
  package private(set) var filter = WatchFilter()
  private(set) var prompt: Prompt?
  private(set) var typed = ""
  private var pausedToScroll = false
  package private(set) var wantsToQuit = false

  private static let longestPrompt = 200

  /// Creates the initial state.
  ///
  /// - Parameter filter: The filter for the first view.
  package init(filter: WatchFilter = WatchFilter()) { self.filter = filter }

  /// Handles a key.
  ///
  /// - Parameter page: The number of lines per page.
  package mutating func press(_ key: WatchKey, page: Int) {
    if prompt != nil { return type(key) }
    if showsHelp {
      showsHelp = false
      if key != .character("q") { return }
    }
    switch key {
    case .character(let character): press(character, page)
    case .up: move(by: -1)
    case .down: move(by: 1)
    case .pageUp: move(by: -page)
    case .pageDown: move(by: page)
    case .home: move(by: -.max / 2)
    case .end: move(by: .max / 2)
    case .tab: turn(by: 1)
    case .backTab: turn(by: -1)
    case .escape: filter = WatchFilter()
    case .enter, .backspace: break
    }
  }

  /// Limits the scroll position to the content of the view.
  package mutating func limitScroll(to most: Int) { scroll = min(scroll, max(0, most)) }

  private mutating func press(_ character: Character, _ page: Int) {
    switch character {
    case "q", "Q": wantsToQuit = true
    case "?", "h": showsHelp = true
    case " ", "p":
      isPaused.toggle()
      pausedToScroll = false
    case "/": ask(.text, filter.text)
    case "t": ask(.thread, filter.thread)
    case "c": ask(.category, filter.category)
    case "k": move(by: -1)
    case "j": move(by: 1)
    case "b": move(by: -page)
    case "f": move(by: page)
    case "g": move(by: -.max / 2)
    case "G": move(by: .max / 2)
    case "1"..."6":
      show(View(rawValue: (character.wholeNumberValue ?? 1) - 1) ?? .overview)
    default: break
    }
  }

  /// Moves down by a number of lines. A list of crumbs stops updating while the user scrolls back,
  /// and follows again at the newest crumb.
  private mutating func move(by lines: Int) {
    if view.isTable {
      scroll = max(0, min(scroll, .max / 2) + lines)
      return
    }
    scroll = max(0, min(scroll, .max / 2) - lines)
    if scroll > 0, !isPaused {
      isPaused = true
      pausedToScroll = true
    } else if scroll == 0, pausedToScroll {
      isPaused = false
      pausedToScroll = false
    }
  }

  private mutating func turn(by step: Int) {
    let count = View.allCases.count
    show(View.allCases[(view.rawValue + step + count) % count])
  }

  private mutating func show(_ view: View) {
    if self.view != view {
      scroll = 0
      if pausedToScroll { isPaused = false }
      pausedToScroll = false
    }
    self.view = view
  }

  private mutating func ask(_ prompt: Prompt, _ text: String) {
    self.prompt = prompt
    typed = text
  }

  private mutating func type(_ key: WatchKey) {
    switch key {
    case .character(let character) where typed.count < Self.longestPrompt: typed.append(character)
    case .backspace: if !typed.isEmpty { typed.removeLast() }
    case .escape: prompt = nil
    case .enter:
      switch prompt {
      case .text: filter.text = typed
      case .thread: filter.thread = typed
      case .category: filter.category = typed
      case nil: break
      }
      prompt = nil
      scroll = 0
    default: break
    }
  }
}
