import LogReading
import Glibc
import IncidentModel

/// Starts writers, kills them at random instants, and judges what they left.
struct Killer {
  let directory: String
  let program: String

  /// Kills `kills` writers; every other one has a log so large that nothing is ever recycled.
  func run(kills: Int, isVerbose: Bool) -> Verdict {
    var verdict = Verdict()
    for kill in 0..<kills {
      let keepsAll = kill % 2 == 0
      let before = verdict
      killOnce(keepsAll: keepsAll, into: &verdict)
      if isVerbose || (before.isGood && !verdict.isGood) {
        print("kill \(kill + 1) (\(keepsAll ? "all kept" : "recycling")): \(verdict.line)")
      }
    }
    return verdict
  }

  private func killOnce(keepsAll: Bool, into verdict: inout Verdict) {
    let path = "\(directory)/breadcrumbs.log"
    unlink(path)
    let capacity = keepsAll ? 48 << 20 : 1 << 20
    let limit = keepsAll ? 40_000 : UInt64.max
    let (process, pipe) = start(path: path, capacity: capacity, limit: limit)
    var reader = AcknowledgementReader(pipe: pipe)
    reader.waitForFirst()
    reader.read(forMicroseconds: .random(in: 0..<(keepsAll ? 6_000 : 25_000)))
    kill(process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    if status & 0x7f != SIGKILL {
      print("torture: the writer died by itself, of status \(status)")
      verdict.lost += 1
    }
    reader.drain()
    close(pipe)
    do {
      let incident = try LogReader(path: path).read()
      verdict.add(incident, acknowledged: reader.last, startsAtOne: keepsAll)
    } catch {
      print("torture: \(error)")
      verdict.lost += 1
    }
  }

  func start(path: String, capacity: Int, limit: UInt64) -> (pid_t, Int32) {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    let words = [program, "write", path, "\(capacity)", "\(ends[1])", "\(limit)"]
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var process = pid_t()
    let result = posix_spawn(&process, program, nil, nil, arguments, environ)
    for argument in arguments { free(argument) }
    close(ends[1])
    guard result == 0 else {
      print("torture: cannot start \(program): \(String(cString: strerror(result)))")
      exit(3)
    }
    return (process, ends[0])
  }
}

/// Reads how far each stream of each writer has come.
struct AcknowledgementReader {
  let pipe: Int32
  private(set) var last: [Source: UInt64] = [:]

  init(pipe: Int32) { self.pipe = pipe }

  mutating func waitForFirst() { _ = readOne() }

  /// Keeps the pipe from filling for a while, so that the writers never wait.
  mutating func read(forMicroseconds microseconds: UInt64) {
    let end = nanoseconds() + microseconds * 1000
    while nanoseconds() < end {
      var waiting = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      if poll(&waiting, 1, 1) > 0 && !readOne() { return }
    }
  }

  func nanoseconds() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
  }

  /// Reads all that is left, after the writer's death.
  mutating func drain() {
    while readOne() { continue }
  }

  private mutating func readOne() -> Bool {
    var message: (who: UInt64, number: UInt64) = (0, 0)
    let got = withUnsafeMutableBytes(of: &message) { bytes in
      Glibc.read(pipe, bytes.baseAddress!, bytes.count)
    }
    guard got == 16 else { return false }
    let source = Source(
      writer: Int(message.who >> 8), stream: Stream.allCases[Int(message.who & 255)])
    last[source] = max(last[source] ?? 0, message.number)
    return true
  }
}
