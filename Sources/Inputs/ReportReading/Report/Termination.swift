import IncidentModel

extension CrashReport {
  /// Sets the title of the failure, and the hang, from the reason for which Apple's system ended the
  /// process.
  mutating func takeTermination(_ why: String) {
    let said = ([why] + (failure?.texts ?? [])).joined(separator: " ")
    let lower = said.lowercased()
    let isHang = [
      "8badf00d", "2343432205", "watchdog transgression", "failed to scene-", "in time",
    ]
    .contains(where: lower.contains)
    if isHang { return takeWatchdog(said) }
    guard failure?.signal == "SIGKILL" || failure?.signal.isEmpty == true else { return }
    if lower.contains("dead10cc") || lower.contains("3735883980") {
      let file = said.split { " \n".contains($0) }.first { $0.hasPrefix("/") && $0.contains(".") }
      failure?.title = "Killed with a locked file while suspended (0xdead10cc)"
      if let file { failure?.texts = ["the lock is on \(file)"] }
      if let writer = onlyWriter { failure?.thread = writer }
    } else if lower.contains("c00010ff") {
      failure?.title = "Killed because the device was too hot (0xc00010ff)"
    }
  }

  /// A process that did not respond in time is a hang.
  private mutating func takeWatchdog(_ said: String) {
    guard failure?.signal != "SIGTRAP", let main = threads.first(where: { $0.isMain == true })
    else {
      return
    }
    var hang = Hang(thread: main.number)
    if let place = said.range(of: "allowance of "),
      let seconds = Double(said[place.upperBound...].prefix { $0.isNumber || $0 == "." })
    {
      hang.lasted = WallClock.nanoseconds(seconds: seconds)
    }
    self.hang = hang
    guard failure?.signal == "SIGKILL" else { return }
    let event = said.range(of: " watchdog transgression").flatMap { end in
      said[..<end.lowerBound].split { " :".contains($0) }.last
    }
    let allowance = said.range(of: "allowance of ").map {
      " within \(said[$0.upperBound...].prefix { $0.isNumber || $0 == "." }) s"
    }
    failure?.title =
      "Killed by the watchdog (0x8badf00d): the main thread did not complete "
      + "\(event.map(String.init) ?? "its work")\(allowance ?? " in time")"
    failure?.texts.removeAll { $0.contains("watchdog transgression") }
  }

  /// The only thread that writes to a file in the program's own code; nil without exactly one such
  /// thread.
  private var onlyWriter: Int? {
    let reading = FrameReading(ownImages: ownImages)
    let writers = threads.filter { thread in
      guard thread.isMain != true, let own = thread.frames.firstIndex(where: reading.isOwn) else {
        return false
      }
      return thread.frames[..<own].contains { frame in
        frame.image.hasPrefix("libsqlite3")
          || ["fsync", "write", "pwrite", "fcntl", "flock", "ftruncate"].contains(frame.symbol)
      }
    }
    return writers.count == 1 ? writers[0].number : nil
  }
}
