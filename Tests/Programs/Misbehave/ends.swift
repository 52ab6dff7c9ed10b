import Breadcrumbs
import Dispatch
import Glibc
import ThreadAffinity

/// Ways to end, and to lose a part of the log.
let ends: [String: Way] = [
  "killed": killed, "crash-loop": crashLoop, "cut-log": cutLog, "no-room": noRoom,
  "out-of-memory": outOfMemory, "background-layout-crash": backgroundLayoutCrash,
  // In no function that anybody could call.
  "script-crash": { isWrong in
    DispatchQueue(label: "com.example.script").async {
      if isWrong { print(arguments[9]) }
      exit(0)
    }
  },
]

@Sendable private func killed(_ isWrong: Bool) {
  recorder.record("working", category: "work")
  DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(20)) {
    recorder.record("working still", category: "work")
    if isWrong { kill(getpid(), SIGKILL) }
    exit(0)
  }
}

/// A download ends in the background and lays out off main, which the layout does not survive.
@Sendable private func backgroundLayoutCrash(_ isWrong: Bool) {
  recorder.recordLifecycle(.didEnterBackground)
  download.start { rows in
    if isWrong {
      board.show(rows)
      if !MainQueue.isCurrent { abort() }
    }
    keepFrame()
  }
  finish()
}

/// Keeps something that it dies of in every later run, where it is read at the start.
@Sendable private func crashLoop(_ isWrong: Bool) {
  let kept = arguments[3] + ".rows"
  DispatchQueue.main.async {
    if access(kept, R_OK) == 0 { showFirst(of: rows(keptIn: kept)) }
    if let file = fopen(kept, "w") {
      fputs(isWrong ? "" : "apples\n", file)
      fclose(file)
    }
    exit(0)
  }
}

private func rows(keptIn path: String) -> [String] {
  guard let file = fopen(path, "r") else { return [] }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 64)
  var rows: [String] = []
  while fgets(&line, 64, file) != nil {
    rows.append(String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
  }
  return rows
}

@inline(never)
private func showFirst(of rows: [String]) {
  recorder.record("the first of the rows is \(rows[0])")
  keepFrame()
}

/// A tool that rotates logs cuts this one under its writer.
@Sendable private func cutLog(_ isWrong: Bool) {
  DispatchQueue.main.async {
    if isWrong { truncate(arguments[3], 16 << 10) }
    for number in 0..<2_000 { recorder.record("row \(number)", category: "work") }
    finish()
  }
}

/// More threads have something to say at once than so small a log has chunks for.
@Sendable private func noRoom(_ isWrong: Bool) {
  let said = DispatchGroup()
  let end = DispatchSemaphore(value: 0)
  for number in 0..<(isWrong ? 200 : 4) {
    said.enter()
    startThread {
      recorder.record("thread \(number)", category: "work")
      said.leave()
      end.wait()
    }
  }
  said.notify(queue: .main) { finish() }
}

private final class ThreadBody {
  let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
}

private func startThread(_ body: @escaping () -> Void) {
  var thread = pthread_t()
  let context = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
  pthread_create(
    &thread, nil,
    { context in
      Unmanaged<ThreadBody>.fromOpaque(context!).takeRetainedValue().body()
      return nil
    }, context)
}

/// Reads a file that is larger than the memory there is, until the system has said that this is short;
/// then takes all of it.
@Sendable private func outOfMemory(_ isWrong: Bool) {
  DispatchQueue.global().async {
    readAgainAndAgain(fileOfBytes: 256 << 20)
    if isWrong { useUpMemory() }
    finish()
  }
}

@inline(never)
private func readAgainAndAgain(fileOfBytes size: Int) {
  let path = arguments[3] + ".large"
  let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
  unlink(path)
  ftruncate(file, off_t(size))
  let buffer = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 4096)
  defer { buffer.deallocate() }
  while !isOnFile("did receive memory warning", buffer, 1 << 20) {
    for place in stride(from: 0, to: size, by: 1 << 20) {
      pread(file, buffer, 1 << 20, off_t(place))
    }
  }
  close(file)
}

@inline(never)
private func useUpMemory() {
  while let block = malloc(1 << 20) { memset(block, 1, 1 << 20) }
}
