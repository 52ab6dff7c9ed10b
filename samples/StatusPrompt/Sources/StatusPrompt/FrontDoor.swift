/// Lets answers in while the app is in front, and keeps the others until it is; belongs to the main queue.
final class FrontDoor: @unchecked Sendable {
  private var isClosed = false
  private var waiting: [() -> Void] = []

  /// Lets an answer in, now or later.
  func pass(_ answer: @escaping () -> Void) {
    if isClosed { waiting.append(answer) } else { answer() }
  }

  /// The app is no longer seen.
  func close() { isClosed = true }

  /// The app is on its way to the front: lets in what waits, in the order in which it came.
  func open() {
    isClosed = false
    let missed = waiting
    waiting = []
    for answer in missed { answer() }
  }
}
