/// How a hop delivers what arrives.
public enum HopDelivery: Sendable {
  /// At once where that is right already and nothing of this hop is pending; else enqueued.
  case automatic
  /// Enqueued, always.
  case always
  /// Where it arrives, unchecked.
  case inline
  /// Where it arrives; off the destination that is reported, with registration and arrival.
  case observe
}
