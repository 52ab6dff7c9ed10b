internal import CRecorder

/// A walk of this thread's stack that leaves out the frames of this library.
struct OwnWalk {
  /// How many of the frames that were written are newer than the caller's.
  let own: Int
  /// How many frames follow those.
  let count: Int
  /// Why there are no more.
  let end: ms_walk_end

  /// The most frames of ours between a user's function and the walk, where nothing is inlined.
  static let ownAtMost = 32

  /// Writes frames, newest first. `caller` is the first frame of the user's code; if the walk does not find it,
  /// no frame is left out.
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
