import Dispatch
import Foundation
import Hummingbird
import NIOCore
import NIOPosix

/// A kiosk with nothing of ours in it: what `crashscan run` sees of a service as it is.
public enum Kiosk {
  /// Serves at a port, of the system's choice if that is 0, until it is told to end.
  public static func serve(at port: Int) async throws {
    let router = Router()
    router.get("health") { _, _ in "open" }
    router.get("price") { _, _ in
      try await Task.sleep(for: .milliseconds(20))
      return "\(await Files.shared.price())"
    }
    router.get("newspaper") { _, _ in print(newspaper: 50) }
    router.get("ticket") { _, context in
      ticket(on: MultiThreadedEventLoopGroup.singleton.next())
      return "ticket"
    }
    let app = Application(
      router: router,
      configuration: .init(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in
        Swift.print("open at port \(channel.localAddress?.port ?? 0)")
        fflush(nil)
      })
    try await app.runService()
  }

  /// Waits in the handler for the printer, on a thread of the pool.
  private static func print(newspaper milliseconds: Int) -> String {
    let isPrinted = DispatchSemaphore(value: 0)
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
      isPrinted.signal()
    }
    isPrinted.wait()
    return "newspaper"
  }

  /// Waits on an event loop for the stamp.
  private static func ticket(on loop: any EventLoop) {
    loop.execute {
      Thread.sleep(forTimeInterval: 0.05)
    }
  }
}

/// What must block does so on a thread of its own.
actor Files {
  static let shared = Files()
  private let disk = Disk()

  nonisolated var unownedExecutor: UnownedSerialExecutor { disk.asUnownedSerialExecutor() }

  func price() -> Int {
    Thread.sleep(forTimeInterval: 0.02)
    return 2
  }
}

final class Disk: SerialExecutor {
  private let queue = DispatchQueue(label: "disk")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
