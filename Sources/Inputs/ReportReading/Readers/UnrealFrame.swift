/// Parses the callstacks in Unreal's log.
enum UnrealFrame {
  private static let threadMark = "Crash in runnable thread "

  /// The callstack below a line, and the thread that the line below the callstack names.
  static func stack(
    below line: Int, in text: ConsoleText
  ) -> (frames: [CrashReport.Frame], thread: CrashReport.Thread, end: Int) {
    var frames: [CrashReport.Frame] = []
    var thread = CrashReport.Thread(number: CrashReport.unknownThread)
    let end = text.read(from: line + 1, most: 200, patience: 8) { line in
      guard thread.name.isEmpty else { return nil }
      if let frame = read(line) {
        frames.append(frame)
      } else if let mark = line.range(of: threadMark) {
        thread.name = line[mark.upperBound...].trimmed
      } else {
        return false
      }
      return true
    }
    return (frames, thread, end)
  }

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
      if let place = SourcePosition(symbol[open.upperBound...].dropLast()) { frame.take(place) }
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
    let module = image.split(separator: ".").first.map(String.init) ?? image
    return !engine.contains(module) && !system.contains { image.hasPrefix($0) }
  }

  /// Modules of the engine in a build with one library for each module.
  private static let engine: Set<String> = [
    "core", "coreuobject", "engine", "d3d12rhi", "d3d11rhi", "vulkanrhi", "rhi", "rendercore",
    "renderer", "slate", "slatecore", "umg", "applicationcore", "launch", "inputcore", "net",
  ]

  private static let system = [
    "ntdll", "kernel", "user32", "ucrtbase", "vcruntime", "msvcp", "d3d", "dxgi", "nvwgf", "ati",
    "win32u",
    "combase",
  ]
}
