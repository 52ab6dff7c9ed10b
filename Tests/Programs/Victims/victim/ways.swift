import Breadcrumbs
import CVictims
import CrashCapture
import Dispatch
import Foundation

/// Every way to die, by name.
let ways: [String: @Sendable () -> Void] = {
  var ways: [String: @Sendable () -> Void] = [
    "null-read": die_null_read, "bad-pointer": die_bad_pointer,
    "write-readonly": die_write_readonly, "jump-to-data": die_jump_to_data,
    "call-null": die_call_null, "abort": die_abort, "assert": die_assert,
    "double-free": die_double_free, "heap-smash": die_heap_smash,
    "undefined-instruction": die_undefined_instruction, "trap": die_trap,
    "breakpoint": die_breakpoint, "system-call": die_system_call,
    "truncated-mapping": die_truncated_mapping, "stack-overflow": die_stack_overflow,
    "stack-smashed-at-top": die_stack_smashed_at_top,
    "stack-smashed-at-bottom": die_stack_smashed_at_bottom,
    "malloc-lock-held": die_malloc_lock_held, "loader-lock-held": die_loader_lock_held,
    "loader-lock-elsewhere": die_loader_lock_elsewhere, "forked-child": fork_a_victim,
    "spawned-child": spawn_a_victim, "killed-for-memory": use_up_memory,
    "mutex-held": die_mutex_held, "raised": die_raised, "killed-by-child": die_killed_by_child,
    "two-at-once": die_two_at_once, "in-library": die_in_library,
    "out-of-memory": die_out_of_memory, "disk-full": die_disk_full,
    "uncaught-exception": die_uncaught_exception, "bare-throw": die_bare_throw,
    "throw-across-callback": die_throw_across_callback,
    "no-descriptors": die_without_descriptors,
    "closed-descriptors": die_after_closing_descriptors,
    "cancelled": die_cancelled, "cancelled-meanwhile": die_cancelled_meanwhile,
    "before-install": die_null_read, "after-uninstall": die_null_read,
  ]
  #if arch(x86_64)
    ways["divide-by-zero"] = die_divide_by_zero
    ways["wild-pointer"] = die_wild_pointer
    ways["privileged-instruction"] = die_privileged_instruction
    ways["misaligned"] = die_misaligned
  #endif
  ways.merge(swiftWays) { $1 }
  ways.merge(specialWays) { $1 }
  ways.merge(tasks) { $1 }
  ways.merge(namedTasks) { $1 }
  ways.merge(hangs) { $1 }
  ways.merge(dispositionWays) { $1 }
  ways.merge(endings) { $1 }
  return ways
}()

/// Ways that need more than one call.
private let specialWays: [String: @Sendable () -> Void] = [
  "many-threads": {
    start_waiting_threads(1000)
    die_null_read()
  },
  "many-threads-hurried": {
    start_waiting_threads(1000)
    die_null_read()
  },
  "blocking-thread": {
    start_blocking_thread()
    die_null_read()
  },
  "silent-thread": {
    start_waiting_threads(8)
    start_silent_thread()
    die_null_read()
  },
  "vforked-child": {
    vfork_a_victim()
    die_null_read()
  },
  "busy": {
    start_waiting_threads(CommandLine.arguments.count > 4 ? Int32(CommandLine.arguments[4])! : 4)
    die_null_read()
  },
  "interrupted-wait": { exit_after_interrupted_wait(CommandLine.arguments.last, 0) },
  "interrupted-wait-exits-at-once": {
    exit_after_interrupted_wait(CommandLine.arguments.last, 1)
  },
  "recovered-often": die_where_it_recovered,
  "recovered": { recover_by_long_jump(3000) },
  "recovered-then-not": {
    recover_by_long_jump(10)
    die_null_read()
  },
  "walk-broken": dieWithBrokenQueue,
  "walk-broken-elsewhere": dieBesideBrokenQueue,
  "walk-broken-meanwhile": dieBeforeBrokenQueue,
  "throw-at-top-level": {},
  "quit": dieByQuit,
  // Not a death, but what is told of an earlier one.
  "previous-run": {
    let log = ProcessInfo.processInfo.environment["VICTIM_EARLIER_LOG"] ?? ""
    print(PreviousRun(path: log).map { "\($0.ending), \($0.certainty)" } ?? "no log")
  },
]
