import Dispatch
import Glibc
import Hummingbird
import Mainstay
import NIOCore
import NIOPosix

/// Parcels leave on the event loops.
final class Parcels: Sendable {
  private let loop = MultiThreadedEventLoopGroup.singleton.next()

  func dispatch(_ parcel: String) -> Int {
    loop.preconditionInEventLoop()
    return parcel.count
  }

  /// Asks the carrier, who does not always answer.
  func track(_ parcel: String) -> Int {
    let answer = loop.makePromise(of: String.self)
    if !parcel.isEmpty { answer.succeed(parcel) }
    return parcel.count
  }

  /// Weighs on the loop, and waits there for the carrier.
  func weigh(_ parcel: String) {
    loop.execute {
      let price = try? self.price(of: parcel).wait()
      print(price ?? 0)
    }
  }

  private func price(of parcel: String) -> EventLoopFuture<Int> {
    loop.scheduleTask(in: .seconds(1)) { parcel.count }.futureResult
  }

  /// Reads the carrier's slow file on the loop.
  func load(from file: Int32, _ recorder: BreadcrumbRecorder) {
    loop.execute {
      recorder.record("carrier's file is read", category: "shipping")
      var byte: UInt8 = 0
      read(file, &byte, 1)
    }
  }
}

/// Connections to the carrier, two of them.
struct CarrierPool {
  func connect(waiting: Int) -> Int {
    if waiting > 2 {
      fatalError("the carrier's connection pool deadlocked: \(waiting) wait for 2")
    }
    return waiting
  }
}

struct ShippingRoutes {
  let recorder: BreadcrumbRecorder
  let parcels = Parcels()

  func add(to routes: Routes) {
    routes.post("dispatch") { request, _ in "\(parcels.dispatch(request.word("parcel")))" }
    routes.post("track") { request, _ in "\(parcels.track(request.word("parcel")))" }
    routes.post("weigh") { request, _ in
      parcels.weigh(request.word("parcel"))
      return "weighed"
    }
    routes.post("connect") { request, _ in
      "\(CarrierPool().connect(waiting: request.number("waiting")))"
    }
    routes.post("load") { _, _ in
      parcels.load(from: slowFile(), recorder)
      return "loading"
    }
    routes.post("pack") { request, _ in
      await pack(request.number("parcels"))
      return "packed"
    }
  }

  /// A pipe that nobody writes to.
  private func slowFile() -> Int32 {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    return ends[0]
  }

  /// Packs in many tasks, each of which waits for tape.
  private func pack(_ count: Int) async {
    let tape = DispatchSemaphore(value: 0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<count { group.addTask { take(tape) } }
    }
  }

  private func take(_ tape: DispatchSemaphore) {
    recorder.record("packer waits for tape", category: "shipping")
    tape.wait()
  }
}
