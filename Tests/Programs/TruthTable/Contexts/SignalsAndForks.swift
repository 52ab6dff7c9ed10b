import CTruth
import Dispatch
import Foundation

extension Context {
  /// Signal handlers, forked children, and the end of the process.
  static let signalsAndForks: [Context] = [
    Context("signal handler on main queue (raise)", .main) {
      DispatchQueue.main.async { truth_raise(SIGUSR1) { probe() } }
    },
    Context("signal handler on q1 (raise)", .elsewhere) {
      Queues.q1.async { truth_raise(SIGUSR1) { probe() } }
    },
    Context("signal handler on Thread (raise)", .elsewhere) {
      thread { truth_raise(SIGUSR1) { probe() } }
    },
    Context("signal to the main thread while parked", .main) {
      thread {
        usleep(30_000)
        truth_signal_main_thread(SIGUSR1) { probe() }
      }
    },
    Context("fork child from main.async", .main) {
      DispatchQueue.main.async { probeInForkedChild() }
    },
    Context("fork child from q1", .elsewhere) { Queues.q1.async { probeInForkedChild() } },
    Context("fork child from Thread that used Dispatch", .elsewhere) {
      thread {
        Queues.q2.sync {}
        probeInForkedChild()
      }
    },
    Context("fork child from pthread that never used Dispatch", .elsewhere) {
      truth_run_thread({ _ in probeInForkedChild() }, nil)
    },
    Context("atexit handler from main queue", .main) {
      atexit { probe() }
      DispatchQueue.main.async { exit(0) }
    },
    Context("atexit handler from q1", .elsewhere) {
      atexit { probe() }
      Queues.q1.async { exit(0) }
    },
  ]
}
