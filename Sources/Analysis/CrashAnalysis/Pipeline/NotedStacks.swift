import IncidentModel

/// The notes that came last with a stack: an author who asks for one says who began something.
struct NotedStacks {
  struct Note {
    var message: String
    var moment: Moment
    var thread: Int
    var queue: String?
    var frames: [FrameAddress]
    /// An id that equal stacks share.
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
