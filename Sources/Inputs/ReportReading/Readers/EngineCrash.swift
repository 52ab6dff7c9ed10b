import IncidentModel

/// Reads the unhandled exception of Windows that Unreal logs with its callstack.
enum EngineCrash {
  static let needles = ["Unhandled Exception: EXCEPTION_"]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let mark = line.range(of: needles[0]), Messages.stands(at: mark.lowerBound, in: line)
    else { return nil }
    let said = line[mark.lowerBound...].dropFirst("Unhandled Exception: ".count)
    var frames: [CrashReport.Frame] = []
    var end = text.middle + 1
    for place in end..<min(text.lines.count, end + 200) {
      text.search.lines += 1
      if let frame = frame(text.lines[place].text) {
        frames.append(frame)
        end = place + 1
      } else if place - end > 4 {
        break
      }
    }
    guard !frames.isEmpty else { return nil }
    let type = said.prefix { $0 != " " }
    var report = CrashReport(.console)
    var failure = CrashReport.Failure(
      type: String(type), signal: type.hasSuffix("ACCESS_VIOLATION") ? "SIGSEGV" : "",
      texts: [said.dropFirst(type.count).trimmed].filter { !$0.isEmpty })
    if let place = said.range(of: " address 0x")?.upperBound {
      failure.address = UInt64(said[place...].prefix(while: \.isHexDigit), radix: 16)
    }
    failure.thrown = frames
    report.failure = failure
    report.crumbs = LogLines.crumbs(above: text.middle, in: text)
    return (report, end)
  }

  /// `0x00007ff7 UnrealEditor-Pier.dll!APier::Tick() [D:\Pier\Source\Pier.cpp:88]`, behind the prefix of the log.
  private static func frame(_ line: String) -> CrashReport.Frame? {
    guard let start = line.range(of: "0x"), let bang = line.range(of: "!"),
      start.upperBound < bang.lowerBound
    else { return nil }
    let words = line[start.lowerBound..<bang.lowerBound].split(separator: " ")
    guard words.count == 2, let image = words.last, image.contains(".") else { return nil }
    var frame = CrashReport.Frame(image: String(image))
    var symbol = line[bang.upperBound...].trimmed
    if let open = symbol.range(of: " ["), symbol.hasSuffix("]") {
      let place = symbol[open.upperBound...].dropLast()
      if let colon = place.lastIndex(of: ":"), let number = Int(place[place.index(after: colon)...])
      {
        (frame.file, frame.line) = (String(place[..<colon]), number)
      }
      symbol = String(symbol[..<open.lowerBound])
    }
    frame.symbol = symbol
    frame.isOwn = isOwn(frame)
    return frame
  }

  /// Whether a frame belongs to the game, and not to the engine or to Windows.
  private static func isOwn(_ frame: CrashReport.Frame) -> Bool {
    if let file = frame.file {
      return !["Engine\\Source", "Engine/Source", "Engine\\Plugins", "Engine/Plugins"].contains(
        where: file.contains)
    }
    let image = frame.image.lowercased()
    if image.hasPrefix("unrealeditor") || image.hasPrefix("ue4editor") {
      return false
    }
    return !system.contains { image.hasPrefix($0) }
  }

  private static let system = [
    "ntdll", "kernel", "user32", "ucrtbase", "vcruntime", "msvcp", "d3d", "dxgi", "nvwgf", "ati",
    "win32u",
    "combase",
  ]
}
