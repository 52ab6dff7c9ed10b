internal import CRecorder

/// The delivery of a call. Violations during the delivery are traced back to the delivery's origins.
class Delivery {
  /// The origins of the code, nearest first.
  var origins: [ViolationOrigin] { [] }

  /// The delivery that runs on the calling thread; nil outside of deliveries.
  static var current: Delivery? {
    ms_thread_own().pointee.delivery.map {
      Unmanaged<Delivery>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Runs `body` as part of this delivery.
  @inline(__always)
  final func deliver(_ body: () -> Void) {
    let words = ms_thread_own()!
    let outer = words.pointee.delivery
    words.pointee.delivery = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    body()
    words.pointee.delivery = outer
  }
}
