internal import CRecorder

/// A walk of this thread's stack that omits the frames of this library.
struct OwnWalk {
  /// The number of leading frames that belong to this library.
  let own: Int
  /// The number of frames after this library's, beginning with the caller's.
  let count: Int
  /// The reason why the walk ended.
  let end: ms_walk_end

  /// The maximum number of our frames between a user's function and the walk, in a build without
  /// inlining.
  static let ownAtMost = 32

  /// Writes frames, innermost first. `caller` is the first frame of the user's code; if the walk
  /// does not find it, no frame is omitted.
  @inline(__always)
  init(from caller: UInt, into frames: UnsafeMutablePointer<UInt>, room: Int) {
    var end = MS_WALK_COMPLETE
    let all = Int(ms_walk_here(frames, UInt32(clamping: room), 0, &end))
    var own = 0
    while own < min(all, Self.ownAtMost), frames[own] != caller { own += 1 }
    if own == min(all, Self.ownAtMost) { own = 0 }
    self.own = own
    self.count = all - own
    self.end = end
  }
}
