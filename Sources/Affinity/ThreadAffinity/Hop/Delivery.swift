internal import CRecorder

/// A pending delivery: violations inside it are traced back to its origins.
class Delivery {
  /// The origins of the code, nearest first.
  var origins: [ViolationOrigin] { [] }

  /// The delivery the calling thread is in the middle of.
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
