import CScales
import Hummingbird

/// The scales, whose driver is a C library.
struct Scales {
  func tare(_ port: Int) -> Int {
    let tare = scales_tare(Int32(port))
    return Int(tare)
  }

  func read() -> Int {
    let weight = scales_read()
    return Int(weight)
  }

  func calibrate() -> Int {
    let steps = scales_calibrate()
    return Int(steps)
  }

  func weigh(_ grams: Int) -> Int {
    let weight = scales_weigh(Int32(grams))
    return Int(weight)
  }

  func connect(_ port: Int) -> Int {
    let handle = scales_connect(Int32(port))
    return Int(handle)
  }

  func reset(_ port: Int) -> Int {
    let state = scales_reset(Int32(port))
    return Int(state)
  }

  func lock() -> Int {
    let state = scales_lock()
    return Int(state)
  }

  func history() -> Int {
    let count = scales_history()
    return Int(count)
  }

  func label(_ length: Int) -> Int {
    let written = scales_label(Int32(length))
    return Int(written)
  }
}

struct ScaleRoutes {
  let scales = Scales()

  func add(to routes: Routes) {
    routes.post("tare") { request, _ in "\(scales.tare(request.number("port")))" }
    routes.post("read") { _, _ in "\(scales.read())" }
    routes.post("calibrate") { _, _ in "\(scales.calibrate())" }
    routes.post("weigh") { request, _ in "\(scales.weigh(request.number("grams")))" }
    routes.post("connect") { request, _ in "\(scales.connect(request.number("port")))" }
    routes.post("reset") { request, _ in "\(scales.reset(request.number("port")))" }
    routes.post("lock") { _, _ in "\(scales.lock())" }
    routes.post("history") { _, _ in "\(scales.history())" }
    routes.post("label") { request, _ in "\(scales.label(request.number("length")))" }
  }
}
