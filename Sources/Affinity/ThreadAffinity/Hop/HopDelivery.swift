/// The way in which a hop delivers a call.
public enum HopDelivery: Sendable {
  /// Runs the call at once if it arrives on the right queue and no call of this hop is pending; otherwise
  /// enqueues it.
  case automatic
  /// Always enqueues the call.
  case always
  /// Runs the call on the arriving thread, without a check.
  case inline
  /// Runs the call on the arriving thread. Off the right queue this is a violation, reported with the places
  /// where the hop was created and where the call arrived.
  case observe
}
