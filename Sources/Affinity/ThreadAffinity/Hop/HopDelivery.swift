/// How a hop delivers a call.
public enum HopDelivery: Sendable {
  /// At once if the call is on the right queue and nothing of this hop is pending; otherwise enqueued.
  case automatic
  /// Always enqueued.
  case always
  /// Where it arrives, without a check.
  case inline
  /// Where it arrives; on the wrong queue this is a violation, with the places of hop and arrival.
  case observe
}
