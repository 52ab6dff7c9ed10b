/// Parses a frame of a callstack in Unreal's log.
enum UnrealFrame {
  /// Parses `0x00007ff7 UnrealEditor-Pier.dll!APier::Tick() [D:\Pier\Source\Pier.cpp:88]` after the
  /// log prefix.
  static func read(_ line: String) -> CrashReport.Frame? {
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

  /// True if a frame belongs to the game, and not to the engine or Windows.
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
