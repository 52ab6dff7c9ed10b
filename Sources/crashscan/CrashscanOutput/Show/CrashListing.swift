import DeathRecords
import IncidentModel
import TextOutput

/// Formats a crash for people.
struct CrashListing {
  var crash: Crash
  /// The id of the process that crashed.
  var process: Int?
  /// True if the process continued after the crash.
  var isSurvived: Bool
  var layout: TextLayout
  var isVerbose: Bool

  private var palette: Palette { layout.palette }

  /// A short description of the crash: its kind and its thread.
  var headline: VisibleText {
    let place = crash.thread.map { label($0) } ?? "thread \(crash.kernelID)"
    let verb: VisibleText = isSurvived ? "survived" : "crashed:"
    return "\(verb) \(SignalName.of(crash.signal))\(cause), on \(place)"
  }

  /// Returns the facts of the crash, with the stack of the crashed thread.
  func text(_ stacks: inout StackListing) -> VisibleText {
    var text = VisibleText()
    for words in crash.texts { text += line(palette("\(words.words)", .alarm)) }
    if let thread = crash.thread {
      text += source(thread) + stacks.text(of: thread.stack, when: crash.monotonic)
    } else {
      text += line(palette("the process died before its stack was recorded", .caution))
    }
    if let task = crash.task { text += line("in \(task.words)") }
    if let context = crash.contextWords { text += line("\(context)") }
    for other in crash.others { text += line(palette("\(other.words)", .caution)) }
    if isVerbose { text += registers }
    return text + otherThreads(&stacks) + otherTasks + waitingTasks(&stacks)
  }

  /// Returns the waiting tasks, if they were recorded.
  private func waitingTasks(_ stacks: inout StackListing) -> VisibleText {
    guard let waiting = crash.waiting else { return "" }
    var text = line("\(waiting.words)")
    let most = isVerbose ? Int.max : 8
    for place in waiting.places.prefix(most) {
      text += line("\(place.words)") + stacks.text(of: place.stack, when: crash.monotonic)
    }
    let more = waiting.places.count - most
    if more > 0 { text += line(palette("and in \(more) more places (--verbose)", .quiet)) }
    if waiting.elsewhere > 0 {
      text += line(
        palette(
          "\(waiting.elsewhere) of these tasks wait in places that were not recorded", .caution))
    }
    if let gap = waiting.gap { text += line(palette("\(gap)", .caution)) }
    return text
  }

  /// The tasks that other threads ran. A waiting task runs on no thread.
  private var otherTasks: VisibleText {
    let most = isVerbose ? Int.max : 8
    var text = VisibleText()
    for other in crash.otherTasks.prefix(most) {
      text += line(palette("meanwhile, thread \(other.kernelID) ran \(other.task.words)", .quiet))
    }
    let more = crash.otherTasks.count - most
    if more > 0 { text += line(palette("and \(more) more (--verbose)", .quiet)) }
    if let all = crash.allTasks {
      text += line(palette("tasks in total, as the runtime counts them: \(all)", .quiet))
    } else if crash.waiting == nil, crash.task != nil || !crash.otherTasks.isEmpty {
      text += line(palette("waiting tasks were not recorded", .quiet))
    }
    return text
  }

  private func line(_ text: VisibleText) -> VisibleText { "      \(text)\n" }

  private var cause: VisibleText {
    if let sender = crash.sender {
      if sender.process == process { return " raised by the process itself" }
      return " sent by process \(sender.process) of user \(sender.user)"
    }
    if crash.isWithoutAddress {
      return " (non-canonical address or privileged instruction)"
    }
    guard let address = crash.address, crash.isAboutAccess else { return "" }
    return " at address 0x\(String(address, radix: 16))"
  }

  private func label(_ thread: CrashThread) -> VisibleText {
    let mark: VisibleText =
      switch thread.onMain {
      case .yes: "main"
      case .no: "off"
      case .unknown: "?"
      }
    let queue: VisibleText = thread.queue.map { ", \($0.label)" } ?? ""
    return "thread \(thread.kernelID) \(thread.name) (\(mark)\(queue))"
  }

  /// Returns the reason why a thread has no stack, or a possibly incomplete one.
  private func source(_ thread: CrashThread) -> VisibleText {
    let words: VisibleText? =
      switch thread.source {
      case .rules, .libunwind: nil
      case .framePointers: "walked by frame pointers: frames may be missing"
      case .blocked: "no stack: the thread blocks the signal that samples it"
      case .noAnswer: "no stack: the thread did not answer in time"
      case .gone: "no stack: the thread had exited"
      case .lost: "no stack: every stack walk faulted"
      case .routine: "no stack: the program had recovered from this fault many times"
      case .noRoom: "no stack: the stack had too little space left for a walk"
      }
    return words.map { line(palette($0, .caution)) } ?? ""
  }

  private func otherThreads(_ stacks: inout StackListing) -> VisibleText {
    var text = VisibleText()
    if isVerbose {
      for thread in crash.otherThreads {
        text += line(label(thread)) + source(thread)
        text += stacks.text(of: thread.stack, when: crash.monotonic)
      }
    } else if !crash.otherThreads.isEmpty {
      let count = crash.otherThreads.count
      let threads: VisibleText = count == 1 ? "1 other thread" : "\(count) other threads"
      text += line(palette("\(threads) (--verbose: with stacks)", .quiet))
    }
    if crash.isOutOfTime {
      text += line(
        palette(
          "the crash handler reached its time limit: stacks of \(crash.walkedCount) of \(crash.threadCount) threads were recorded",
          .caution))
    }
    if crash.isListIncomplete {
      text += line(palette("the list of threads is incomplete: threads may be missing", .caution))
    }
    let missing = crash.threadCount - crash.otherThreads.count - (crash.thread == nil ? 0 : 1)
    if missing > 0 {
      text += line(palette("\(missing) more threads were not recorded", .caution))
    }
    return text
  }

  private var registers: VisibleText {
    guard let registers = crash.registers else { return "" }
    let cells = zip(registers.machine.names, registers.values).map { name, value in
      VisibleText(name).rightAligned(to: 6) + " "
        + VisibleText("0x" + String(value, radix: 16)).padded(to: 18)
    }
    return stride(from: 0, to: cells.count, by: 4).map { first in
      line(palette(cells[first..<min(first + 4, cells.count)].joined(by: " "), .quiet))
    }.joined(by: "")
  }
}

extension Crash.Text {
  var words: String {
    switch self {
    case .swift(let text), .cLibrary(let text), .exception(let text): text
    case .exceptionType(let name): "uncaught exception of type \(name)"
    }
  }
}

extension Crash.Other {
  fileprivate var words: String {
    switch role {
    case .otherThread: "meanwhile, thread \(kernelID) also received \(SignalName.of(signal))"
    case .whileRecording:
      "the recorder itself received \(SignalName.of(signal)), and part of the record is missing"
    case .afterwards: "a later signal handler received \(SignalName.of(signal))"
    }
  }
}
