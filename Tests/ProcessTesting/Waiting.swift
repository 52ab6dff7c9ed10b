import Glibc

/// Waits until a file is there that another process makes.
public func waitForFile(_ path: String) {
  let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  let events = inotify_init1(Int32(IN_CLOEXEC))
  defer { close(events) }
  inotify_add_watch(events, directory, UInt32(IN_CREATE | IN_MOVED_TO))
  // Asked for after the watch began, so that none is made unseen in between.
  var buffer = [UInt8](repeating: 0, count: 4096)
  while access(path, F_OK) != 0 {
    if read(events, &buffer, buffer.count) < 0 && errno != EINTR { return }
  }
}

/// Runs `body` on a thread of its own, and returns when that has ended, with all that it gives back.
public func runThread(_ body: @escaping @Sendable () -> Void) {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { context in
      Unmanaged<Box>.fromOpaque(context!).takeRetainedValue().body()
      return nil
    }, Unmanaged.passRetained(Box(body)).toOpaque())
  pthread_join(thread, nil)
}

/// Whether something comes to hold that no event tells of: what another thread or process writes into a log
/// is a store to mapped memory. Looked for again and again, for a minute; nothing depends on how soon.
public func comesToHold(_ condition: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<60_000 {
    if try condition() { return true }
    poll(nil, 0, 1)
  }
  return try condition()
}
