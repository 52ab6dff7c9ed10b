/// What customers send, for example:
///
///     Main Thread Checker: UI API called on a background thread: -[UILabel setText:]
///     PID: 812, TID: 4411, Thread name: (none), Queue name: com.acorn.feed, QoS: 0
///     Backtrace:
///     4   Acorn      0x0000000100003000 -[ACRow show:] + 20
///     5   Acorn      0x0000000100003100 -[ACFeed load] + 44
let rules = [
  ("Main Thread Checker: UI API called on a background thread: -[UIView setHidden:]", "mtc"),
  ("Block was expected to execute on queue [com.apple.main-thread", "q"),
]
