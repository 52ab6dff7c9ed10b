import Breadcrumbs
import Dispatch
import ThreadAffinity

/// Leaves one thread's share of the crumbs: what a service leaves, and what the rules look for.
final class Writer {
  private let index: Int
  private let lines: LineFile?
  private let hop: MainHop<Sink>
  private let sink = Sink()
  private var buffer = ""

  init(_ index: Int, lines: LineFile?) {
    self.index = index
    self.lines = lines
    hop = MainHop(sink, "rows", delivery: .inline)
  }

  func write(_ count: Int) {
    for number in 0..<count {
      switch number % 20 {
      case 0, 10: withStack(number % stacks) { noteWithStack(number) }
      case 5: work(number)
      case 7, 8: hopped(number)
      case 12: withStack(number % stacks) { violate(number) }
      default: note(number)
      }
      if buffer.utf8.count > 1 << 16 { flush() }
    }
    flush()
  }

  /// As many distinct stacks as there are ways through fourteen calls of two functions.
  private let stacks = 10_000

  private func note(_ number: Int) {
    recorder.record(
      "request \(number) done", category: "net",
      data: ["url": .string("/prices/\(number % 97)"), "status": 200, "bytes": .integer(number)])
    line(number, kind: "note", category: "net", message: "request \(number) done", frames: 0)
  }

  private func noteWithStack(_ number: Int) {
    recorder.record("slow answer", category: "net", stack: .always)
    line(number, kind: "note", category: "net", message: "slow answer", frames: 20)
  }

  private func work(_ number: Int) {
    DispatchQueue.global().sync {}
    recorder.record("cache hit", level: .debug, category: "cache")
    line(number, kind: "note", category: "cache", message: "cache hit", frames: 0)
  }

  private func hopped(_ number: Int) {
    hop.send { _ in }
    line(number, kind: "hop", category: "hop", message: "arrival", frames: 0)
    line(number, kind: "hop", category: "hop", message: "run", frames: 0)
  }

  private func violate(_ number: Int) {
    if number % 1000 == 12 {
      uiWork("layout") {}
      line(number, kind: "violation", category: "affinity", message: "layout", frames: 20)
      line(number, kind: "ui-work", category: "ui", message: "layout", frames: 0)
    } else {
      noteWithStack(number)
    }
  }

  // MARK: Stacks

  private func withStack(_ path: Int, _ body: () -> Void) {
    path & 1 == 0 ? even(path >> 1, 13, body) : odd(path >> 1, 13, body)
  }

  @inline(never)
  private func even(_ path: Int, _ depth: Int, _ body: () -> Void) {
    if depth == 0 {
      body()
    } else {
      path & 1 == 0 ? even(path >> 1, depth - 1, body) : odd(path >> 1, depth - 1, body)
    }
    returned &+= 1
  }

  @inline(never)
  private func odd(_ path: Int, _ depth: Int, _ body: () -> Void) {
    if depth == 0 {
      body()
    } else {
      path & 1 == 0 ? even(path >> 1, depth - 1, body) : odd(path >> 1, depth - 1, body)
    }
    returned &+= 3
  }

  /// Written after each call, so that no call is the last thing a function does.
  private var returned = 0

  // MARK: Lines

  private func line(_ number: Int, kind: String, category: String, message: String, frames: Int) {
    guard lines != nil else { return }
    buffer += "{\"time\":\"2026-01-02T03:04:05.\(100_000_000 + number)Z\",\"thread\":\(index + 1),"
    buffer += "\"number\":\(number),\"queue\":\"com.example.worker.\(index)\",\"onMain\":false,"
    buffer += "\"kind\":\"\(kind)\",\"level\":\"info\",\"category\":\"\(category)\","
    buffer +=
      "\"message\":\"\(message)\",\"data\":{\"url\":\"/prices/\(number % 97)\",\"status\":200,"
    buffer += "\"bytes\":\(number)},\"stack\":["
    for frame in 0..<frames {
      if frame > 0 { buffer += "," }
      buffer += "\"0x7f\(String(0x1000_0000 + frame * 4096 + number % stacks, radix: 16))\""
    }
    buffer += "]}\n"
  }

  private func flush() {
    lines?.append(buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}

/// What hops lead to.
final class Sink: Sendable {}
