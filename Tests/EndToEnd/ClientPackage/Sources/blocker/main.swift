import BlockingCalls
import Dispatch
import Glibc
import Synchronization

// Blocks a thread of the pool in three ways; the library, linked in, has to say so on standard error.
try BlockingCalls.report(to: nil, policy: .log)

func wait() {
  usleep(20_000)
  let never = DispatchSemaphore(value: 0)
  _ = never.wait(timeout: .now() + .milliseconds(20))
  var end = pollfd(fd: 0, events: 0, revents: 0)
  poll(&end, 0, 20)
}

await Task.detached { wait() }.value
