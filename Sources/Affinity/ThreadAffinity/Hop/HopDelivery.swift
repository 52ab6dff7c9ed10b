/// How a hop delivers a call.
public enum HopDelivery: Sendable {
  /// At once if the call is on the right queue and nothing of this hop is pending; otherwise enqueued.
  case automatic
  /// Always enqueued.
  case always
  /// On the arriving thread, without a check.
  case inline
  /// On the arriving thread; off the queue this is a violation, with the places of hop and arrival.
  case observe
}
