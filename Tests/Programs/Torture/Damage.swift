import LogReading
import Breadcrumbs
import Dispatch
import Glibc
import IncidentModel
import Synchronization

/// Flips every byte of a small log, cuts it at every length, and looks for crumbs nobody wrote.
struct Damage {
  /// What was found on the way.
  struct Finding {
    var flips = 0
    var cuts = 0
    var unreadable = 0
    var invented = 0
    var missing = 0

    static func + (left: Finding, right: Finding) -> Finding {
      Finding(
        flips: left.flips + right.flips, cuts: left.cuts + right.cuts,
        unreadable: left.unreadable + right.unreadable, invented: left.invented + right.invented,
        missing: left.missing + right.missing)
    }
  }

  let bytes: [UInt8]
  private let original: [Key: Crumb]

  private struct Key: Hashable {
    let thread: Int
    let number: UInt32
  }

  init(directory: String) throws {
    let path = "\(directory)/breadcrumbs.log"
    try Self.write(to: path)
    bytes = try Self.contents(of: path)
    let incident = try bytes.withUnsafeBytes { try LogReader(contents: $0, name: path).read() }
    original = Dictionary(
      uniqueKeysWithValues: incident.crumbs.map { (Key(thread: $0.thread, number: $0.number), $0) })
  }

  /// Damages every `step`th byte, and cuts at every `step`th length, on both cores.
  func run(step: Int) -> Finding {
    let found = Mutex(Finding())
    let parts = 2
    DispatchQueue.concurrentPerform(iterations: parts) { part in
      var own = Finding()
      var copy = bytes
      for place in stride(from: part * step, to: bytes.count, by: parts * step) {
        for flip in [UInt8(0xff), 1 << UInt8(place % 8)] {
          copy[place] ^= flip
          own = own + judge(copy.count, of: copy)
          own.flips += 1
          copy[place] ^= flip
        }
        own = own + judge(place, of: copy)
        own.cuts += 1
      }
      found.withLock { $0 = $0 + own }
    }
    return found.withLock { $0 }
  }

  /// Reads what damage has left. One byte hits at most one chunk, or the header.
  private func judge(_ count: Int, of copy: [UInt8]) -> Finding {
    copy.withUnsafeBytes { all in
      let left = UnsafeRawBufferPointer(rebasing: all[..<count])
      guard let incident = try? LogReader(contents: left, name: "damaged").read() else {
        return Finding(unreadable: 1)
      }
      let invented = incident.crumbs.count { crumb in
        guard let written = original[Key(thread: crumb.thread, number: crumb.number)] else {
          return true
        }
        return !isSame(crumb, written, hasHeader: incident.process != nil)
      }
      let missing = original.count - incident.crumbs.count
      let isSilent = missing > 0 && incident.unread.isEmpty
      return Finding(invented: invented, missing: isSilent ? missing : 0)
    }
  }

  /// All must be as it was, but for a queue or stack whose own record is the damaged one, and the
  /// time: it comes from whatever anchors are left and may be off by what they differ, and by more
  /// where the header is lost, as nothing else in so short a log tells how fast its clock runs.
  private func isSame(_ crumb: Crumb, _ other: Crumb, hasHeader: Bool) -> Bool {
    (crumb.queue == nil || crumb.queue == other.queue) && crumb.onMain == other.onMain
      && crumb.kind == other.kind && crumb.level == other.level
      && crumb.category == other.category && crumb.message == other.message
      && crumb.data.elementsEqual(other.data) { $0.key == $1.key && $0.value == $1.value }
      && (crumb.stack == nil || crumb.stack == other.stack) && crumb.hop == other.hop
      && crumb.isMessageCut == other.isMessageCut && crumb.isDataCut == other.isDataCut
      && crumb.isInterrupting == other.isInterrupting
      && (!hasHeader || distance(crumb.wall, other.wall) < 1_000_000)
  }

  private func distance(_ one: UInt64, _ other: UInt64) -> UInt64 {
    one > other ? one - other : other - one
  }
}

extension Damage {
  /// A little of everything, from two threads.
  private static func write(to path: String) throws {
    let recorder = try BreadcrumbRecorder(path: path, capacity: 256 << 10, automatic: .start)
    let group = DispatchGroup()
    fill(recorder, from: 0)
    DispatchQueue(label: "another queue").async(group: group) { fill(recorder, from: 100) }
    group.wait()
    recorder.close()
  }

  private static func fill(_ recorder: BreadcrumbRecorder, from start: Int) {
    for number in start..<start + 12 {
      recorder.record(
        "message \(number)", category: "damage",
        data: ["number": .integer(number), "half": .double(Double(number) / 2), "text": "words"],
        stack: number % 4 == 0 ? .always : .never)
    }
    recorder.record("an error", level: .error, category: "damage")
    recorder.recordLifecycle(.didBecomeActive)
    recorder.beginBackgroundTask("a task").end()
    recorder.record(String(repeating: "long ", count: 300))
  }

  private static func contents(of path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else {
      throw LogReadingError.cannotOpen(path: path, errorNumber: errno)
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 256 << 10)
    let size = fread(&bytes, 1, bytes.count, file)
    return Array(bytes[..<size])
  }
}
