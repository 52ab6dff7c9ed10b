import Foundation

/// How the list is sorted: another way is another case, and its place in the cycle is its place here.
enum SortState: CaseIterable, Sendable {
  /// As the endpoint has it.
  case none
  /// By name, A first.
  case nameAscending
  /// By name, Z first.
  case nameDescending
  /// By the host of the site's address; sites without one come last.
  case host

  /// The one after this, and the first after the last.
  var next: SortState {
    let all = Self.allCases
    let index = all.firstIndex(of: self)!
    return all[(index + 1) % all.count]
  }

  /// Goes on to the next.
  mutating func advance() { self = next }

  /// The sites in this order; equals keep the order they came in.
  func sorted(_ sites: [Site]) -> [Site] {
    switch self {
    case .none: sites
    case .nameAscending: stable(sites) { Self.compare($0.name, $1.name) }
    case .nameDescending: stable(sites) { Self.compare($1.name, $0.name) }
    case .host: stable(sites) { Self.compareHosts($0.url.host, $1.url.host) }
    }
  }

  private func stable(
    _ sites: [Site], by compare: (Site, Site) -> ComparisonResult
  ) -> [Site] {
    let ordered = sites.enumerated().sorted { one, other in
      switch compare(one.element, other.element) {
      case .orderedAscending: true
      case .orderedDescending: false
      case .orderedSame: one.offset < other.offset
      }
    }
    return ordered.map(\.element)
  }

  private static func compare(_ one: String, _ other: String) -> ComparisonResult {
    one.compare(other, options: [.caseInsensitive, .diacriticInsensitive, .numeric])
  }

  private static func compareHosts(_ one: String?, _ other: String?) -> ComparisonResult {
    switch (one, other) {
    case (nil, nil): .orderedSame
    case (nil, _): .orderedDescending
    case (_, nil): .orderedAscending
    case (let one?, let other?): compare(one, other)
    }
  }
}
