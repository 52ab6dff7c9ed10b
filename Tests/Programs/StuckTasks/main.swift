import Dispatch
import Glibc

/// Programs that are stuck in one way each, and some that only wait: `stuck-tasks SCENE`.
///
/// Says `READY` when all of its parts are where they wait, as far as they can tell themselves.
let scene = CommandLine.arguments.dropFirst().first ?? ""
guard let run = stuck[scene] ?? idle[scene] else {
  print((stuck.keys.sorted() + idle.keys.sorted()).joined(separator: "\n"))
  exit(2)
}
await run()
// Threads may have guard pages in their stacks.
let guarded = mmap(nil, 4 << 12, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
let installsGuard: Int32 = 102
madvise(guarded, 1 << 12, installsGuard)
ready()
if scene == "main-lost" { print(await stock()) }
if scene == "main-waits" {
  await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
}
// The main actor stays free: this is no part of a scene.
while true { try? await Task.sleep(for: .seconds(1000)) }
