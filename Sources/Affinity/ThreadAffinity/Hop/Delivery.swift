internal import CRecorder

/// Code on its way to where it belongs: what a violation inside it is traced back to.
class Delivery {
  /// Where the code was sent from, the nearest first.
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
