import Dispatch
import Glibc
import TextOutput

/// Shows the progress of a long operation on a terminal, in a temporary line.
final class ProgressLine {
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private var name = ""
  private var begun: UInt64 = 0
  private var shown: UInt64 = 0

  func begin(_ name: String) {
    self.name = name
    begun = DispatchTime.now().uptimeNanoseconds
    shown = 0
  }

  /// Shows how many crumbs were read.
  func show(_ events: Int) { show("\(events) crumbs") }

  /// Shows `state` after the first second, at most ten times per second.
  func show(_ state: @autoclosure () -> String) {
    guard isTerminal else { return }
    let now = DispatchTime.now().uptimeNanoseconds
    guard now - begun > 1_000_000_000, now - shown > 100_000_000 else { return }
    shown = now
    write("\r\u{1B}[K" + ("\(name): \(state())" as VisibleText).string)
  }

  func end() {
    if shown > 0 { write("\r\u{1B}[K") }
  }

  private func write(_ text: String) {
    _ = text.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
  }
}
