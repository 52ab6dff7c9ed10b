import CrashAnalysis
import IncidentModel
import TextOutput

/// Writes the threads and tasks of a process for people, grouped by place.
package struct PictureListing {
  private let picture: ProcessPicture
  private let groups: [ThreadGroup]
  private let tasks: [TaskGroup]
  private let layout: TextLayout
  private let isVerbose: Bool

  private static let mostGroups = 24
  private static let mostFrames = 16
  private static let mostNames = 6

  package init(
    _ picture: ProcessPicture, _ groups: PictureGroups, layout: TextLayout, isVerbose: Bool
  ) {
    self.picture = picture
    self.groups = groups.threads
    tasks = groups.tasks
    self.layout = layout
    self.isVerbose = isVerbose
  }

  package var text: String {
    var text = headline + "\n"
    for note in picture.notes { text += paragraph(layout.palette("note", .caution), "\(note)") }
    let most = isVerbose ? Int.max : Self.mostGroups
    for group in groups.prefix(most) { text += "\n" + heading(group) + "\n" + lines(group) }
    let rest = groups.dropFirst(most)
    if !rest.isEmpty {
      let threads = rest.reduce(0) { $0 + $1.threads.count }
      text +=
        "\n"
        + layout.palette(
          "and \(Self.count(threads, "thread")) in \(rest.count) more places (--verbose)", .quiet)
        + "\n"
    }
    if let picture = picture.tasks {
      text += TaskListing(picture, tasks, layout: layout, isVerbose: isVerbose).text
    }
    return text.string
  }

  private var headline: VisibleText {
    let places = groups.count == 1 ? "1 place" : "\(groups.count) places"
    let threads = "\(Self.count(picture.threads.count, "thread")) in \(places)"
    let how =
      switch picture.stop {
      case .stopped(let time):
        "read while the process was stopped for \(TimeSpan.text(nanoseconds: time))"
      case .partly(let time):
        "partly read while the process was stopped for \(TimeSpan.text(nanoseconds: time)), partly while it ran"
      case .running: "read while the process ran"
      case .dead: "as recorded in the core"
      }
    return "\(threads), \(how)"
  }

  private static func count(_ count: Int, _ noun: String) -> String {
    "\(grouped(UInt64(count))) \(noun)\(count == 1 ? "" : "s")"
  }

  // MARK: Groups

  private func heading(_ group: ThreadGroup) -> VisibleText {
    let count = Self.count(group.threads.count, "thread")
    let names = group.threads.prefix(isVerbose ? Int.max : Self.mostNames).map { thread in
      thread.name.isEmpty ? "\(thread.kernelID)" : "\(thread.kernelID) \(thread.name)"
    }
    let rest = group.threads.count - names.count
    let list = names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    let state = states(group)
    return layout.palette("\(count)", .heading) + (state.isEmpty ? "" : " " + state) + ": "
      + layout.palette("\(list)", .quiet)
  }

  /// Returns the state of the threads, for example `sleeping`, with counts if the states differ.
  private func states(_ group: ThreadGroup) -> VisibleText {
    var counts: [(state: String, count: Int)] = []
    for thread in group.threads {
      let state = picture.states[thread.kernelID] ?? ""
      if let place = counts.firstIndex(where: { $0.state == state }) {
        counts[place].count += 1
      } else {
        counts.append((state, 1))
      }
    }
    let known = counts.filter { !$0.state.isEmpty }
    if counts.count == 1 { return "\(known.first?.state ?? "")" }
    return "\(known.map { "\($0.count) \($0.state)" }.joined(separator: ", "))"
  }

  private func lines(_ group: ThreadGroup) -> VisibleText {
    var text = VisibleText()
    var folded: [Frame] = []
    var written = 0
    for (number, frame) in group.frames.enumerated() {
      guard isVerbose || isOwn(frame) else {
        folded.append(frame)
        continue
      }
      if !isVerbose, written == Self.mostFrames {
        let rest = group.frames.count - number
        return text + line("…", layout.palette("\(rest) more frames (--verbose)", .quiet))
      }
      text += fold(&folded, isInnermost: written == 0)
      text += line("\(number)", place(frame))
      written += 1
    }
    text += fold(&folded, isInnermost: written == 0, isCalled: false)
    return text + ending(group)
  }

  private func isOwn(_ frame: Frame) -> Bool {
    switch frame.role {
    case .code, .ui: true
    case .library, .runtime, .drain, .check: false
    }
  }

  /// Returns the frames between own functions as one line. The innermost function and the function
  /// that own code called are kept, because they show the kind of wait.
  private func fold(
    _ frames: inout [Frame], isInnermost: Bool, isCalled: Bool = true
  ) -> VisibleText {
    defer { frames = [] }
    guard let first = frames.first, let last = frames.last else { return "" }
    let modules = Self.distinct(frames.map(\.place.module)).joined(separator: ", ")
    var words: VisibleText = "\(Self.count(frames.count, "frame")) of \(modules)"
    if isInnermost {
      let way = isCalled && frames.count > 1 ? ", from \(name(last))" : ""
      words = "in \(name(first))\(way): " + words
    }
    return line("…", layout.palette(words, .quiet))
  }

  private func name(_ frame: Frame) -> String {
    frame.isNamed ? frame.place.name : frame.place.module
  }

  private static func distinct(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  private func place(_ frame: Frame) -> VisibleText {
    var text = layout.palette("\(frame.place.name)", .function)
    if frame.isInlined { text += layout.palette(" [inlined]", .quiet) }
    if let file = frame.place.file {
      let line = frame.place.line.map { ":\($0)" } ?? ""
      text += " at " + layout.palette("\(layout.path(file))\(line)", .place)
    }
    return text + layout.palette(" in \(frame.place.module)", .quiet)
  }

  private func line(_ mark: VisibleText, _ text: VisibleText) -> VisibleText {
    layout.palette(mark.rightAligned(to: 5), .quiet) + "  " + text + "\n"
  }

  private func ending(_ group: ThreadGroup) -> VisibleText {
    if group.frames.isEmpty {
      return line("", layout.palette("no stack: the thread ran, or could not be stopped", .caution))
    }
    let words: VisibleText? =
      switch group.end {
      case .complete: nil
      case .limit: "more frames follow, beyond the limit of the walk"
      case .noRule, .badCallers: "the walk ended here: no unwind rule for this frame"
      case .badStack: "the walk ended here: the caller's frame cannot be read"
      case .unavailable: "no unwinder was available"
      }
    return words.map { line("…", layout.palette($0, .caution)) } ?? ""
  }

  private func paragraph(_ head: VisibleText, _ words: VisibleText) -> VisibleText {
    layout.fill(
      head: "  " + head + "  ", headWidth: 8, words: words.words.map { ($0, .plain) }, indent: 8)
      + "\n"
  }
}
