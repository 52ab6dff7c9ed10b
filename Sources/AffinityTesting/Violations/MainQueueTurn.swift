import Dispatch

/// A turn of the main queue.
enum MainQueueTurn {
  /// Waits until all that is on the main queue by now has run.
  static func next() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }
}
