import CrashAnalysis
import IncidentModel
import TextOutput

/// Writes the tasks of a process for people, grouped by place.
struct TaskListing {
  private let picture: TaskPicture
  private let groups: [TaskGroup]
  private let layout: TextLayout
  private let isVerbose: Bool

  private static let mostGroups = 24
  private static let mostFrames = 4
  private static let mostNames = 6

  init(_ picture: TaskPicture, _ groups: [TaskGroup], layout: TextLayout, isVerbose: Bool) {
    self.picture = picture
    self.groups = groups
    self.layout = layout
    self.isVerbose = isVerbose
  }

  var text: VisibleText {
    var text = VisibleText()
    for gap in picture.gaps {
      text +=
        layout.fill(
          head: "  " + layout.palette("note", .caution) + "  ", headWidth: 8,
          words: ("\(gap)" as VisibleText).words.map { ($0, .plain) }, indent: 8) + "\n"
    }
    let most = isVerbose ? Int.max : Self.mostGroups
    for group in groups.prefix(most) { text += "\n" + heading(group) + "\n" + lines(group) }
    let rest = groups.dropFirst(most)
    if !rest.isEmpty {
      let tasks = rest.reduce(0) { $0 + $1.tasks.count }
      let words: VisibleText = "and \(count(tasks)) in \(rest.count) more places (--verbose)"
      text += "\n" + layout.palette(words, .quiet) + "\n"
    }
    return text
  }

  private func count(_ tasks: Int) -> String {
    "\(grouped(UInt64(tasks))) task\(tasks == 1 ? "" : "s")"
  }

  /// Returns a heading such as `412 tasks wait for a continuation: 7 “GET /stock”, 9 and 410 more`.
  private func heading(_ group: TaskGroup) -> VisibleText {
    let doing = group.tasks.count == 1 ? group.doing.one : group.doing.many
    let names = group.tasks.prefix(isVerbose ? Int.max : Self.mostNames).map { task in
      let name = task.name.map { " “\($0)”" } ?? ""
      return "\(task.id)\(name)\(task.flags.contains(.cancelled) ? " (cancelled)" : "")"
    }
    let rest = group.tasks.count - names.count
    let list = names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    return layout.palette("\(count(group.tasks.count))", .heading) + " \(doing): "
      + layout.palette("\(list)", .quiet)
  }

  private func lines(_ group: TaskGroup) -> VisibleText {
    let frames = isVerbose ? group.frames : group.ownFrames
    var text = VisibleText()
    for frame in frames.prefix(isVerbose ? Int.max : Self.mostFrames) {
      text += "       " + layout.palette("\(frame.place.name)", .function)
      if let file = frame.place.file {
        let line = frame.place.line.map { ":\($0)" } ?? ""
        text += " at " + layout.palette("\(layout.path(file))\(line)", .place)
      }
      text += layout.palette(" in \(frame.place.module)", .quiet) + "\n"
    }
    return text
  }
}
