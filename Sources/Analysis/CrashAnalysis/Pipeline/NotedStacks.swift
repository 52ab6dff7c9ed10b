import IncidentModel

/// The most recent notes with a stack. Authors request stacks for notes about starting work, so
/// these notes show where work began.
struct NotedStacks {
  struct Note {
    var message: String
    var moment: Moment
    var thread: Int
    var queue: String?
    var frames: [FrameAddress]
    /// A hash of the stack.
    var stack: Int
  }

  private(set) var notes: [Note] = []
  private let most = 64

  mutating func keep(_ event: Event) {
    if notes.count == most { notes.removeFirst() }
    notes.append(
      Note(
        message: event.message, moment: event.moment, thread: event.thread,
        queue: event.queue?.label, frames: event.frames,
        stack: event.addresses.contentHash))
  }
}
