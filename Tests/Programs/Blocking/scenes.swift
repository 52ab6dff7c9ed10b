import BlockingCalls
import Dispatch
import Foundation
import Synchronization

/// What blocks, or only seems to, by name. Each ends the process.
let scenes: [String: @Sendable () -> Void] = [
  // Calls that block the pool.
  "sleep": inPool { Thread.sleep(forTimeInterval: 0.03) },
  "usleep": inPool { usleep(30_000) },
  "semaphore": inPool {
    let semaphore = DispatchSemaphore(value: 0)
    soon { semaphore.signal() }
    semaphore.wait()
  },
  "group": inPool {
    let group = DispatchGroup()
    group.enter()
    soon { group.leave() }
    group.wait()
  },
  "queue-sync": inPool {
    let queue = DispatchQueue(label: "busy")
    queue.async { usleep(30_000) }
    queue.sync {}
  },
  "nslock": inPool {
    let lock = NSLock()
    held(by: { lock.lock() }, until: { lock.unlock() })
    lock.lock()
  },
  "condition": inPool {
    let condition = NSCondition()
    condition.lock()
    soon {
      condition.lock()
      condition.signal()
      condition.unlock()
    }
    condition.wait()
  },
  "mutex": inPool {
    let mutex = Boxed()
    let (taken, waits) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      mutex.value.withLock { _ in
        taken.signal()
        waits.wait()
        usleep(200_000)
      }
    }
    BlockingCalls.allowed { taken.wait() }
    waits.signal()
    mutex.value.withLock { $0 += 1 }
  },
  "pipe": inPool {
    let pipe = Pipe()
    soon { pipe.fileHandleForWriting.write(Data([1])) }
    var byte: UInt8 = 0
    read(pipe.fileHandleForReading.fileDescriptor, &byte, 1)
  },
  "poll": inPool { poll(nil, 0, 30) },
  "process": inPool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sleep")
    process.arguments = ["0.5"]
    try! process.run()
    var status: Int32 = 0
    waitpid(process.processIdentifier, &status, 0)
  },
  "spawned": inPool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sleep")
    process.arguments = ["0.5"]
    try! process.run()
    siginfo_t.wait(for: process.processIdentifier)
  },
  "signal-handler": inPool {
    signal(SIGUSR1) { _ in usleep(30_000) }
    // Which Dispatch's workers block.
    var signals = sigset_t()
    sigaddset(&signals, SIGUSR1)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(SIGUSR1)
  },
  "rwlock": inPool {
    let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
    pthread_rwlock_init(lock, nil)
    let shared = Shared(lock)
    held(by: { pthread_rwlock_wrlock(shared.it) }, until: { pthread_rwlock_unlock(shared.it) })
    pthread_rwlock_rdlock(lock)
  },
  "join": inPool {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { _ in
        usleep(30_000)
        return nil
      }, nil)
    pthread_join(thread, nil)
  },
  "flock": inPool {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("lock-\(getpid())")
      .path
    let (mine, other) = (open(path, O_CREAT | O_RDWR, 0o600), open(path, O_RDWR))
    unlink(path)
    flock(other, LOCK_EX)
    soon { flock(other, LOCK_UN) }
    flock(mine, LOCK_EX)
  },
  "select": inPool {
    var time = timeval(tv_sec: 0, tv_usec: 30_000)
    select(0, nil, nil, nil, &time)
  },
  "write": inPool {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    let reader = ends[0]
    soon {
      var room = [UInt8](repeating: 0, count: 1 << 17)
      while read(reader, &room, room.count) > 0 {}
    }
    write(ends[1], [UInt8](repeating: 1, count: 1 << 17), 1 << 17)
  },
  "open": inPool {
    // A pipe with a name opens when somebody opens its other end.
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(getpid())")
      .path
    mkfifo(path, 0o600)
    soon {
      _ = open(path, O_WRONLY)
      unlink(path)
    }
    _ = open(path, O_RDONLY)
  },
  "recv": inPool {
    var ends: [Int32] = [0, 0]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
    let other = ends[1]
    soon { send(other, [1], 1, 0) }
    var byte: UInt8 = 0
    recv(ends[0], &byte, 1, 0)
  },
  "accept": inPool {
    let (listener, address) = listening()
    soon { connected(to: address) }
    accept(listener, nil, nil)
  },
  "epoll": inPool {
    var event: [UInt64] = [0, 0]
    _ = epollWait(epollCreate(0), &event, 1, 30)
  },
  "connect": inPool {
    // One may wait to be taken, the next waits until it is. Where others have the processors, the first takes its time too.
    let (listener, path) = listeningNearby()
    onAnotherThread { connected(to: path) }
    soon { accept(listener, nil, nil) }
    connected(to: path)
  },
  "names": inPool {
    // The resolver reads its aliases from a file, and a pipe with a name opens when somebody opens its other end.
    let path = namedPipe()
    setenv("HOSTALIASES", path, 1)
    setenv("RES_OPTIONS", "timeout:1 attempts:1", 1)
    soon {
      // For each question it reads them anew.
      while true { close(open(path, O_WRONLY)) }
    }
    var found: UnsafeMutablePointer<addrinfo>?
    getaddrinfo("nobody", nil, nil, &found)
  },
  "fsync": inPool {
    let path = "/var/tmp/blocking-\(getpid())"  // on a disk, where /tmp may be none
    let file = open(path, O_CREAT | O_RDWR, 0o600)
    unlink(path)
    let much = [UInt8](repeating: 1, count: 1 << 26)
    // The kernel may have written it all before it is asked to.
    for _ in 0..<20 {
      BlockingCalls.allowed { _ = pwrite(file, much, much.count, 0) }
      let begin = DispatchTime.now()
      fsync(file)
      if DispatchTime.now() >= begin + .milliseconds(5) { break }
    }
  },
  "dlopen": inPool {
    let path = namedPipe()
    soon { close(open(path, O_WRONLY)) }
    dlopen(path, RTLD_NOW)
  },
  "halted-and-long": inPool { readHalted(forMilliseconds: 1_000, andOn: 2_500) },
  "main": {
    usleep(30_000)
    exit(0)
  },
  "main-actor": {
    Task { @MainActor in
      usleep(30_000)
      exit(0)
    }
  },
  "loop": {
    thread(named: "NIO-ELT-0-#1") { usleep(30_000) }
  },
  "shared-loop": {
    thread(named: "NIO-SGLTN-1-#1") { usleep(30_000) }
  },
  "other-loop": {
    thread(named: "uv-loop-1") { usleep(30_000) }
  },

  // What never ends, beside a thread that waits for work and harms nobody.
  "never": {
    Thread.detachNewThread { DispatchSemaphore(value: 0).wait() }
    Task.detached { await waitForNobody() }
  },
  "never-main": { DispatchSemaphore(value: 0).wait() },

  "dies": inPool { fatalError("on purpose") },

  // What is no case.
  "await": {
    Task.detached {
      try await Task.sleep(for: .milliseconds(50))
      await withCheckedContinuation { continuation in soon { continuation.resume() } }
      exit(0)
    }
  },
  "allowed": inPool { _ = BlockingCalls.allowed { usleep(30_000) } },
  "short": inPool { for _ in 0..<100 { usleep(100) } },
  "own-thread": {
    Thread.detachNewThread {
      usleep(30_000); exit(0)
    }
  },
  "uncontended": inPool {
    let (lock, condition) = (NSLock(), DispatchSemaphore(value: 1))
    for _ in 0..<10_000 {
      lock.withLock {}
      condition.wait()
      condition.signal()
    }
  },
  "brief-contention": inPool {
    let lock = NSLock()
    let counter = Boxed()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<1000 { lock.withLock { counter.value.withLock { $0 += 1 } } }
    }
  },
  "own-threads": {
    // As a database's driver has them: threads that wait for work, and tasks that await it.
    let driver = Driver()
    Task.detached {
      for _ in 0..<5 { await driver.query() }
      exit(0)
    }
  },
  "allowed-call": inPool {
    BlockingCalls.allow(.call("usleep"))
    usleep(30_000)
  },
  "allowed-library": inPool {
    BlockingCalls.allow(.library("libFoundation.so"))
    Thread.sleep(forTimeInterval: 0.03)
  },
  "stopped": inPool {
    BlockingCalls.stop()
    usleep(30_000)
  },
  "halted": inPool { readHalted(forMilliseconds: 1_500, andOn: 0) },
  "own-queue": {
    DispatchQueue(label: "disk").async {
      usleep(30_000); exit(0)
    }
  },
  "own-executor": {
    Task.detached {
      await Disk().read()
      exit(0)
    }
  },
  "loop-waits": {
    thread(named: "NIO-ELT-0-#1") { poll(nil, 0, 50) }
  },
  "busy": inPool {
    let end = ContinuousClock.now + .milliseconds(50)
    while ContinuousClock.now < end {}
  },
  "task-group": {
    Task.detached {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<8 { group.addTask { try? await Task.sleep(for: .milliseconds(30)) } }
      }
      exit(0)
    }
  },
  "turns-of-an-actor": {
    let desk = Desk()
    Task.detached {
      async let one: Void = desk.serve()
      async let other: Void = desk.serve()
      _ = await (one, other)
      exit(0)
    }
  },
  "signalled": inPool {
    let tickets = DispatchSemaphore(value: 0)
    for _ in 0..<10_000 {
      tickets.signal()
      tickets.wait()
    }
  },
  "not-to-wait": {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    let end = ends[0]
    Task.detached {
      for _ in 0..<20 {
        var byte: UInt8 = 0
        while read(end, &byte, 1) > 0 {}
        try await Task.sleep(for: .milliseconds(2))
      }
      exit(0)
    }
  },
  "timers": {
    let timer = DispatchSource.makeTimerSource(queue: .main)
    let count = Boxed()
    timer.setEventHandler {
      if count.value.withLock({
        $0 += 1; return $0
      }) == 10 {
        exit(0)
      }
      withExtendedLifetime(timer) {}
    }
    timer.schedule(deadline: .now(), repeating: .milliseconds(10))
    timer.activate()
  },
  "idle": { DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) { exit(0) } },
]

/// Reads from a pipe while the process is stopped, and until something comes after that.
func readHalted(forMilliseconds milliseconds: UInt32, andOn more: UInt32) {
  typealias Fork = @convention(c) () -> pid_t  // Swift hides it
  let fork = unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)
  var ends: [Int32] = [0, 0]
  pipe(&ends)
  let victim = getpid()
  let thread = try! FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
  let status = "/proc/\(thread)/stat"
  var byte: UInt8 = 0
  if fork() == 0 {
    var text = [UInt8](repeating: 0, count: 64)
    repeat {  // until it waits: "51 (name) S …"
      let file = open(status, O_RDONLY)
      read(file, &text, text.count)
      close(file)
    } while text[text.firstIndex(of: UInt8(ascii: ")"))! + 2] != UInt8(ascii: "S")
    kill(victim, SIGSTOP)
    usleep(milliseconds * 1_000)
    if more == 0 { write(ends[1], &byte, 1) }
    kill(victim, SIGCONT)
    usleep(more * 1_000)
    write(ends[1], &byte, 1)
    _exit(0)
  }
  read(ends[0], &byte, 1)
}

/// Keeps who comes waiting, but no thread.
actor Desk {
  func serve() async { try? await Task.sleep(for: .milliseconds(30)) }
}

struct Shared<Pointee>: @unchecked Sendable {
  let it: UnsafeMutablePointer<Pointee>

  init(_ it: UnsafeMutablePointer<Pointee>) { self.it = it }
}

extension siginfo_t {
  static func wait(for process: Int32) {
    var info = siginfo_t()
    waitid(P_PID, id_t(process), &info, WEXITED)
  }
}

// Glibc's module leaves these out.
@_silgen_name("epoll_create1") private func epollCreate(_ flags: Int32) -> Int32
@_silgen_name("epoll_wait")
private func epollWait(
  _ file: Int32, _ events: UnsafeMutableRawPointer, _ room: Int32, _ timeout: Int32
) -> Int32

func waitForNobody() async { held() }

/// Not async: what waits there is to be found here.
@inline(never) private func held() { DispatchSemaphore(value: 0).wait() }

func namedPipe() -> String {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(getpid())").path
  mkfifo(path, 0o600)
  atexit {
    unlink(FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(getpid())").path)
  }
  return path
}

/// A socket by a name that no file has, with room for one to wait.
func listeningNearby() -> (socket: Int32, name: String) {
  let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  let name = "blocking-\(getpid())"
  withAddress(of: name) { _ = bind(listener, $0, $1) }
  listen(listener, 0)
  return (listener, name)
}

func connected(to name: String) {
  withAddress(of: name) { _ = connect(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0), $0, $1) }
}

private func withAddress(
  of name: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Void
) {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0[1...].copyBytes(from: name.utf8) }
  withUnsafeBytes(of: &address) {
    body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
  }
}

/// A socket of this machine that takes connections, and where.
func listening() -> (socket: Int32, port: in_port_t) {
  let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  listen(listener, 1)
  var address = sockaddr_in()
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  withUnsafeMutableBytes(of: &address) {
    _ = getsockname(listener, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), &size)
  }
  return (listener, address.sin_port)
}

func connected(to port: in_port_t) {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port
  address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
  withUnsafeBytes(of: &address) {
    _ = connect(
      socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0),
      $0.baseAddress!.assumingMemoryBound(to: sockaddr.self),
      socklen_t(MemoryLayout<sockaddr_in>.size))
  }
}

final class Boxed: Sendable {
  let value = Mutex(0)
}

/// Runs what blocks on two threads of its own.
final class Driver: Sendable {
  private let work = Mutex<[@Sendable () -> Void]>([])
  private let isThere = DispatchSemaphore(value: 0)

  init() {
    for _ in 0..<2 { Thread.detachNewThread { [self] in serve() } }
  }

  private func serve() {
    while true {
      isThere.wait()
      work.withLock { $0.removeFirst() }()
    }
  }

  func query() async {
    await withCheckedContinuation { continuation in
      work.withLock {
        $0.append {
          usleep(20_000)
          continuation.resume()
        }
      }
      isThere.signal()
    }
  }
}

/// An actor with a thread of its own for what must block.
actor Disk {
  private static let executor = OwnQueue()

  nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

  func read() { usleep(30_000) }
}

final class OwnQueue: SerialExecutor {
  private let queue = DispatchQueue(label: "disk")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

/// Runs what blocks in a task on the pool, or where `BLOCKING_ON` says: on the main queue, on a thread that is named
/// as an event loop's.
func inPool(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
  {
    switch getenv("BLOCKING_ON").map({ String(cString: $0) }) {
    case "main":
      DispatchQueue.main.async {
        body()
        exit(0)
      }
    case "loop": thread(named: "NIO-ELT-0-#1", body)
    default:
      Task.detached {
        body()
        exit(0)
      }
    }
  }
}

/// Runs a thread of this name and ends the process. Foundation's threads get their names from outside, some time.
func thread(named name: String, _ body: @escaping @Sendable () -> Void) {
  let work = Unmanaged.passRetained(Work(name: name, body: body)).toOpaque()
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { work in
      let work = Unmanaged<Work>.fromOpaque(work!).takeRetainedValue()
      try! work.name.write(toFile: "/proc/thread-self/comm", atomically: false, encoding: .utf8)
      work.body()
      exit(0)
    }, work)
}

private final class Work: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }
}

func soon(_ body: @escaping @Sendable () -> Void) {
  Thread.detachNewThread {
    usleep(250_000)
    body()
  }
}

/// Waits for it.
func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    done.signal()
  }
  done.wait()
}

/// Another thread has it, until somebody has waited for it for a while.
func held(by take: @escaping @Sendable () -> Void, until leave: @escaping @Sendable () -> Void) {
  let (taken, waits) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  Thread.detachNewThread {
    take()
    taken.signal()
    waits.wait()
    usleep(200_000)
    leave()
  }
  BlockingCalls.allowed { taken.wait() }
  waits.signal()
}
