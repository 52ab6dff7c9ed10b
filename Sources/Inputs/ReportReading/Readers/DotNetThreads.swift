import IncidentModel

/// Reads the threads of a .NET process from `dotnet-stack report`, or from `clrstack -all` of
/// `dotnet-dump`.
struct DotNetThreads {
  static let needles = ["Thread (0x", "OS Thread Id: 0x"]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    guard headline(text.lines[text.middle].text) != nil else { return nil }
    var report = CrashReport(.dotNetThreads)
    let end = text.read(from: text.middle, most: 20_000, patience: 3) { line in
      if let id = headline(line) {
        return report.begin(CrashReport.Thread(number: id, id: id, isMain: false))
      }
      if let frame = frame(line) { return report.add(frame) }
      return line.contains("[Native Frames]") || line.contains("Child SP")
    }
    guard report.threads.contains(where: { !$0.frames.isEmpty }) else { return nil }
    for place in report.threads.indices
    where report.threads[place].frames.contains(where: { frame in
      ["ThreadPoolWorkQueue.Dispatch", "PortableThreadPool"].contains(where: frame.symbol.contains)
    }) {
      report.threads[place].name = "the .NET thread pool"
    }
    if let main = report.threads.firstIndex(where: { thread in
      thread.frames.contains { frame in loops.contains(where: frame.symbol.hasPrefix) }
        || thread.frames.last?.symbol.hasSuffix(".Main") == true
    }) {
      report.threads[main].isMain = true
      report.hang = CrashReport.Hang(thread: report.threads[main].number, isTold: false)
    }
    return (report, end)
  }

  /// The functions that run the event loop of a user interface.
  private static let loops = [
    "System.Windows.Forms.Application.Run", "System.Windows.Threading.Dispatcher.",
    "System.Windows.Application.Run", "Avalonia.Threading.Dispatcher.MainLoop",
  ]

  /// The thread id in `Thread (0x1A2C):` and in `OS Thread Id: 0x1a2c (0)`.
  private static func headline(_ line: String) -> Int? {
    let text = line[LogMargin.end(of: line)...].trimmed
    guard let mark = needles.first(where: text.hasPrefix) else { return nil }
    let digits = text.dropFirst(mark.count).prefix { $0.isHexDigit }
    guard text.hasSuffix("):") || mark == needles[1] else { return nil }
    return Int(digits, radix: 16)
  }

  /// Parses a frame: `Lagerhaus!Lagerhaus.Views.StockView.Reload()`, `000000C7 00007FF8
  /// Lagerhaus.StockView.Reload() [C:\src\View.cs @ 41]`.
  private static func frame(_ line: String) -> CrashReport.Frame? {
    var text = line[LogMargin.end(of: line)...].trimmed[...]
    var position: Substring?
    while let word = text.split(separator: " ").first, word.utf8.count >= 8,
      word.utf8.allSatisfy(\.isHexDigit)
    {
      text = text.dropFirst(word.count).trimmed[...]
    }
    if let open = text.lastRange(of: " ["), text.hasSuffix("]") {
      position = text[open.upperBound...].dropLast()
      text = text[..<open.lowerBound]
    }
    if let mark = text.firstIndex(of: "!") { text = text[text.index(after: mark)...] }
    guard let open = text.firstIndex(of: "("), text.hasSuffix(")"), open > text.startIndex,
      text[..<open].contains("."), !text[..<open].contains(" ")
    else { return nil }
    var frame = CrashReport.Frame(symbol: String(text[..<open]))
    frame.image = String(frame.symbol.prefix { $0 != "." })
    frame.isManaged = true
    if let place = position.flatMap({ SourcePosition(windows: $0) }) { frame.take(place) }
    return frame
  }
}
