import IncidentModel

/// Reads the reports of Go's race detector: both goroutines, each with its stack.
enum GoRace {
  static let header = "WARNING: DATA RACE"

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    guard let place = text.lines[text.middle].text.range(of: header),
      Messages.stands(at: place.lowerBound, in: text.lines[text.middle].text)
    else { return nil }
    let text = text.withoutPrefix(before: header, in: text.middle)
    var sides: [CrashReport.Thread] = []
    var pending: Substring?
    var (end, isOpen) = (text.middle + 1, false)
    for place in end..<min(text.lines.count, end + 400) {
      text.search.lines += 1
      let line = text.lines[place].text.trimmed
      if line.hasPrefix("=====") || line.contains(header) { break }
      if let side = side(line) {
        isOpen = sides.count < 2
        if isOpen { sides.append(side) }
      } else if line.hasPrefix("Goroutine ") {
        isOpen = false
      } else if line.hasSuffix(")"), line.contains("."), !line.contains(" ") {
        pending = line[..<(line.lastRange(of: "(")?.lowerBound ?? line.endIndex)]
        continue
      } else if let name = pending, isOpen,
        let frame = GoTraceback.frame(name, at: line.split(separator: " ").first ?? "")
      {
        sides[sides.count - 1].frames.append(frame)
      }
      pending = nil
      end = place + 1
    }
    guard sides.count == 2, sides.allSatisfy({ !$0.frames.isEmpty }) else { return nil }
    return (
      CrashReport(.goTraceback, toldRace: "data race", by: "Go's race detector", among: sides), end
    )
  }

  /// Parses `Write at 0x00c000012345 by goroutine 19:` and `Previous read at 0x00c0 by main
  /// goroutine:`.
  private static func side(_ line: String) -> CrashReport.Thread? {
    guard line.hasSuffix(":"), line.contains(" at 0x"), let by = line.lastRange(of: " by ") else {
      return nil
    }
    let who = line[by.upperBound...].dropLast()
    if who == "main goroutine" {
      return CrashReport.Thread(number: 1, name: "main goroutine", isMain: true)
    }
    guard who.hasPrefix("goroutine "), let number = Int(who.dropFirst(10)) else { return nil }
    return CrashReport.Thread(number: number, name: String(who), isMain: number == 1)
  }
}
