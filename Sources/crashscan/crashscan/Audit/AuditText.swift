import CrashAnalysis
import IsolationAudit
import TextOutput

/// Formats an audit for people: by rank, then by file and line.
struct AuditText {
  let layout: TextLayout
  let isVerbose: Bool

  func text(_ rows: [(Report.Entry, AuditedPlace)], of binaries: [String]) -> VisibleText {
    let known = rows.filter { $0.0.isKnown }.count
    let fresh = rows.filter { !$0.0.isKnown }.map(\.1)
    var text = headline(fresh, binaries)
    for rank in [AuditedPlace.Rank.elsewhere, .kept, .here] {
      let places = fresh.filter { $0.rank == rank }
      if places.isEmpty { continue }
      text += "\n" + layout.palette(heading(of: rank), .heading) + "\n"
      text += groups(of: places).map { self.text(of: $0) }.joined(by: "")
    }
    if known > 0 { text += "\n\(known) known places are not shown (--baseline, --allow)\n" }
    return text
  }

  /// Groups places that need the same change, in the order of their first place.
  private func groups(of places: [AuditedPlace]) -> [[AuditedPlace]] {
    var groups: [[AuditedPlace]] = []
    var indices: [String: Int] = [:]
    for place in places {
      if let index = indices[place.change] {
        groups[index].append(place)
      } else {
        indices[place.change] = groups.count
        groups.append([place])
      }
    }
    return groups
  }

  private func text(of group: [AuditedPlace]) -> VisibleText {
    let text = group.map { self.text(of: $0) }.joined(by: "")
    if group[0].rank == .here && !isVerbose { return text }
    let label = group.count == 1 ? "change: " : "change for these \(group.count): "
    return text + line(label + group[0].change)
  }

  private func headline(_ places: [AuditedPlace], _ binaries: [String]) -> VisibleText {
    let name = VisibleText(binaries.map(layout.path).joined(separator: ", "))
    if places.isEmpty { return name + ": no place can trap by isolation\n" }
    let counts = [
      (AuditedPlace.Rank.elsewhere, "called elsewhere"), (.kept, "kept"),
      (.here, "called in place"),
    ].map { rank, words in "\(places.filter { $0.rank == rank }.count) \(words)" }
    let count = places.count == 1 ? "1 place" : "\(places.count) places"
    return name + ": \(count) can trap by isolation: \(counts.joined(separator: ", "))\n"
  }

  private func heading(of rank: AuditedPlace.Rank) -> VisibleText {
    switch rank {
    case .elsewhere: "Handed to code that calls elsewhere: traps when it is called"
    case .kept: "Kept, or handed to unknown code: traps if that code calls elsewhere"
    case .here:
      "Called in place (traps only if the surrounding code runs elsewhere) or on the main queue"
    }
  }

  private func text(of place: AuditedPlace) -> VisibleText {
    let position = place.file.map { file in
      layout.path(file) + (place.line.map { ":\($0)" } ?? "")
    }
    var text: VisibleText = "  "
    if let position { text += layout.palette("\(position)", .place) + "  " }
    text += layout.palette("\(place.subject)", .function) + "\n"
    if place.rank == .here && !isVerbose { return text }
    if let way = place.way { text += line(way + at(place)) }
    if place.way == nil, let reason = place.reason { text += line(reason) }
    return text
  }

  /// The place of the call that takes the closure, if it differs from the closure's own line.
  private func at(_ place: AuditedPlace) -> String {
    guard let call = place.call?.shortPosition else { return "" }
    let own = place.file?.split(separator: "/").last.map { "\($0):\(place.line ?? 0)" }
    return call == own ? "" : " (\(call))"
  }

  private func line(_ words: String) -> VisibleText {
    layout.fill(
      head: "      ", headWidth: 6, words: VisibleText(words).words.map { ($0, .plain) },
      indent: 8) + "\n"
  }
}
