import CRecorder
import Dispatch
import Foundation
import ProcessTesting
import Testing

@Suite("Queue state")
struct QueueStateTests {
  @Test(
    "Every verdict in random nestings is the real assertion's",
    arguments: [1, 2, 3].inShort(oneOf: 3))
  func fuzz(seed: Int) throws {
    let child = try ChildProcess.run("queue-fuzz", ["\(seed)", "300000"])
    #expect(child.signal == 0 && child.status == 0, "\(child.errors)")
    let counts = child.output.split(separator: ",").compactMap {
      Int($0.drop { $0 == " " }.prefix { $0.isNumber })
    }
    try #require(counts.count == 4)
    // A fuzz that never says yes, or never forks, shows nothing.
    #expect(counts[0] >= 300_000 && counts[1] > 10_000 && counts[3] > 50)
  }

  @Test("The layout is learned and proved here")
  func exact() {
    ms_queue_start()
    #expect(ms_queue_answer_level() == MS_QUEUE_EXACT)
    #expect(ms_queue_fallback_reason() == nil)
  }

  /// In a container they are small, as the serial numbers of queues are.
  @Test("The layout is learned whatever number its thread has", .enabled(if: numbersCanBeChosen))
  func numbers() throws {
    let program = ChildProcess.directory + "/queue-impostor"
    let learned = try ChildProcess.run(
      path: "/usr/bin/env",
      Self.apart + [
        """
        for number in $(seq 2 40); do
          echo $number > /proc/sys/kernel/ns_last_pid && "$0" honest || exit 1
        done
        """, program,
      ])
    #expect(learned.status == 0, "\(learned.errors)")
    let lines = learned.output.split(separator: "\n")
    #expect(lines.count == 39 && Set(lines) == ["exact, proved, 0"])
  }

  /// A shell whose processes are numbered from 1.
  private static let apart = ["unshare", "--pid", "--fork", "--mount-proc", "sh", "-c"]

  private static var numbersCanBeChosen: Bool {
    let tried = try? ChildProcess.run(
      path: "/usr/bin/env", apart + ["echo 2 > /proc/sys/kernel/ns_last_pid"])
    return tried?.status == 0
  }

  @Test(
    "A libdispatch that disagrees with the layout is found out, and the level falls", .provesQueues)
  func disagreement() throws {
    let honest = try ChildProcess.run("queue-impostor", ["honest"])
    #expect(honest.output == "exact, proved, 0\n")
    let lying = try ChildProcess.run("queue-impostor", ["lying"])
    #expect(
      lying.output == "chain, assertions of libdispatch contradict the learned queue layout, 0\n")
  }

  @Test("A child that forked inside a queue may be the first to ask")
  func forked() throws {
    let child = try ChildProcess.run("queue-impostor", ["forked"])
    #expect(child.output == "exact, proved, 0\n")
  }

  @Test("Strict mode asks libdispatch about every verdict", .provesQueues)
  func strict() throws {
    let child = try ChildProcess.run(
      "queue-impostor", ["honest"], environment: ["MAINSTAY_QUEUE_CHECK": "strict"])
    #expect(child.output == "exact, proved, 10\n")
  }

  @Test("The environment can forbid the child process, and the layout altogether")
  func modes() throws {
    let unproved = try ChildProcess.run(
      "queue-impostor", ["lying"], environment: ["MAINSTAY_QUEUE_CHECK": "unproved"])
    #expect(unproved.output == "exact, proved, 0\n")
    let exported = try ChildProcess.run(
      "queue-impostor", ["honest"], environment: ["MAINSTAY_QUEUE_CHECK": "exported"])
    #expect(exported.output == "chain, MAINSTAY_QUEUE_CHECK=exported, 0\n")
  }

  @Test("A stamp names the queue, the thread and whether main-queue work may run")
  func stamp() {
    let queue = DispatchQueue(label: "stamp.queue")
    let (label, serial, thread, onMain) = queue.sync {
      let stamp = ms_queue_stamp_here()
      return (String(cString: stamp.label), stamp.serial, stamp.thread, stamp.onMain)
    }
    #expect(label == "stamp.queue")
    #expect(serial > 1)
    #expect(thread == ms_thread_id_anew())
    #expect(onMain == ms_queue_on_main())
    let outside = onThread { ms_queue_stamp_here() }
    #expect(outside.serial == 0 && outside.label == nil && !outside.onMain)
    #expect(outside.thread != 0)
  }

  @Test("Only a queue that runs one thing at a time is called serial")
  func serialQueues() {
    let serial = DispatchQueue(label: "here.serial")
    let concurrent = DispatchQueue(label: "here.concurrent", attributes: .concurrent)
    ms_queue_start()
    #expect(serial.sync { ms_queue_here_is_serial() })
    #expect(!concurrent.sync { ms_queue_here_is_serial() })
    #expect(!DispatchQueue.global().sync { ms_queue_here_is_serial() })
    #expect(serial.sync { concurrent.sync { !ms_queue_here_is_serial() } })
    #expect(!onThread { ms_queue_here_is_serial() })
  }

  @Test("A queue's serial number is never given twice")
  func serials() {
    var seen: Set<UInt64> = []
    for _ in 0..<200 {
      let queue = DispatchQueue(label: "short-lived")
      seen.insert(queue.sync { ms_queue_stamp_here().serial })
    }
    #expect(seen.count == 200)
  }

  @Test("A thread's identity is its own, and never given twice")
  func identities() {
    var seen: Set<UInt64> = []
    for _ in 0..<50 { seen.insert(onThread { ms_thread_own().pointee.identity }) }
    #expect(seen.count == 50)
  }
}

extension Trait where Self == ConditionTrait {
  /// A test of what only a child by bare `clone` shows.
  fileprivate static var provesQueues: Self {
    .notUnderQemu("qemu starts no child that ends without a signal")
  }
}

/// What `body` returns on a thread of its own, outside Dispatch.
private func onThread<T>(_ body: @escaping @Sendable () -> T) -> T {
  nonisolated(unsafe) var result: T?
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    result = body()
    done.signal()
  }
  done.wait()
  return result!
}
