/// The functions in which threads wait, by prefixes of their names.
package enum WaitFunctions {
  /// Functions that wait for the work of another thread.
  private static let work = [
    "_dispatch_semaphore_wait", "dispatch_semaphore_wait", "_dispatch_sema4_wait",
    "_dispatch_group_wait", "dispatch_group_wait", "pthread_join", "__pthread_join",
    "pthread_cond_wait", "___pthread_cond_wait", "__pthread_cond_wait", "sem_wait",
  ]

  /// Functions that wait for anything that another thread holds. A single snapshot may catch such a
  /// wait just before it ends.
  private static let any =
    work + [
      "__DISPATCH_WAIT_FOR_QUEUE__", "_dispatch_sync_f_slow", "_dispatch_barrier_sync",
      "_dispatch_once_wait", "_dispatch_thread_event_wait", "_dlock_wait", "__ulock_wait",
      "__psynch_mutexwait", "__psynch_cvwait", "__psynch_rw", "_pthread_mutex_lock",
      "pthread_mutex_lock", "_pthread_mutex_firstfit_lock", "_pthread_cond_wait",
      "_os_unfair_lock_lock", "semaphore_wait_trap", "semaphore_wait", "objc_sync_enter",
      "-[NSLock lock", "-[NSRecursiveLock lock", "-[NSCondition wait", "-[NSConditionLock lock",
      "-[NSOperation waitUntilFinished", "-[NSOperationQueue waitUntilAll", "__lll_lock_wait",
      "java.lang.Object.wait", "sun.misc.Unsafe.park", "jdk.internal.misc.Unsafe.park",
      "java.lang.Thread.join", "System.Threading.Monitor.", "System.Threading.WaitHandle.Wait",
      "System.Threading.ManualResetEventSlim.Wait", "System.Threading.Tasks.Task.InternalWait",
      "System.Threading.Tasks.Task.Wait", "System.Threading.SemaphoreSlim.Wait",
      "System.Threading.Thread.Join", "sync.runtime_Sema", "sync.(*", "chan send", "chan receive",
      "acquire", "wait", lock,
    ]

  /// Functions that wait for a lock.
  private static let locks = [
    "__lll_lock_wait", "pthread_mutex_lock", "__GI___pthread_mutex_lock", "__pthread_mutex_lock",
    "___pthread_mutex_lock", "__psynch_mutexwait", "_pthread_mutex_firstfit_lock",
    "_os_unfair_lock_lock",
    "objc_sync_enter", "-[NSLock lock", "-[NSRecursiveLock lock", "pthread_rwlock_",
    "__pthread_rwlock",
    "RtlEnterCriticalSection", "RtlpEnterCriticalSection", "g_mutex_lock", "std::mutex::lock",
    "System.Threading.Monitor.Enter", "System.Threading.Monitor.ReliableEnter", "sync.(*Mutex).",
    "sync.Mutex.Lock", "sync.RWMutex.", "semacquire", "_MutexHandle", lock,
  ]

  package static func isLock(_ function: String) -> Bool {
    locks.contains(where: function.hasPrefix)
  }

  /// Functions in which the main thread waits idle for work.
  private static let loops = [
    "CFRunLoopRun", "__CFRunLoopRun", "dispatch_main", "_dispatch_sigsuspend",
    "swift_task_asyncMainDrainQueue", "android.os.MessageQueue.nativePollOnce", "g_main_",
    "java.awt.EventQueue.getNextEvent", "mainloop", "com.sun.glass.ui.",
    "MsgWaitForMultipleObjects",
    "System.Windows.Threading.Dispatcher.GetMessage", "UserInterop.WaitMessage",
    "System.Windows.Forms.UnsafeNativeMethods.WaitMessage",
  ]

  /// Functions that run the main thread's event loop and dispatch its work.
  private static let services =
    loops + [
      "NSApplicationMain", "UIApplicationMain", "-[NSApplication run]", "-[UIApplication _run]",
      "_dispatch_main_queue", "__CFRUNLOOP_IS_", "GSEventRun", "android.os.Looper.loop",
      "android.os.Handler.dispatchMessage", "java.awt.EventDispatchThread.", "java.awt.EventQueue.",
      "com.sun.javafx.application.", "System.Windows.Forms.Application.Run", "mainloop",
      "System.Windows.Threading.Dispatcher.", "Avalonia.Threading.Dispatcher.", "g_application_run",
      "gtk_main", "QEventLoop::",
      "QApplication::exec", "QCoreApplication::exec",
    ]

  /// Functions that run the event loop of any thread.
  private static let runners = [
    "android.os.Looper.loop", "g_main_loop_run", "g_main_context_iteration", "QEventLoop::exec",
    "QThread::exec", "CFRunLoopRun", "System.Windows.Threading.Dispatcher.Run",
    "System.Windows.Threading.Dispatcher.PushFrame", "System.Windows.Forms.Application.Run",
    "Avalonia.Threading.Dispatcher.MainLoop", "Avalonia.Threading.Dispatcher.PushFrame",
    "org.eclipse.swt.widgets.Display.readAndDispatch", "base::RunLoop::Run",
  ]

  package static func runsLoop(_ function: String) -> Bool {
    runners.contains(where: function.hasPrefix)
  }

  /// The text that a Java thread dump contains in place of a function.
  package static let lock = "waiting to lock <"

  /// libdispatch's message for a queue that waits for itself.
  package static let ownQueue = "dispatch_sync called on queue already owned by current thread"

  /// System calls that wait for input or for a time, without the underscores in front of the names.
  private static let input: Set<String> = [
    "accept", "accept4", "poll", "ppoll", "select", "pselect", "epoll_wait", "epoll_pwait", "recv",
    "recvfrom", "recvmsg", "recvmmsg", "read", "readv", "nanosleep", "clock_nanosleep", "usleep",
    "sleep",
  ]

  /// True if a thread waits in `function`, of the C library, for input or for a time.
  package static func isForInput(_ function: String) -> Bool {
    var name = function.drop { $0 == "_" }
    for prefix in ["GI_", "libc_"] where name.hasPrefix(prefix) {
      name = name.dropFirst(prefix.count).drop { $0 == "_" }
    }
    return input.contains(String(name))
  }

  package static func isForWork(_ function: String) -> Bool {
    work.contains(where: function.hasPrefix)
  }

  /// True if a thread waits in `function`. Some tools print one underscore too many in front of a
  /// name.
  package static func isWait(_ function: String) -> Bool {
    any.contains { function.hasPrefix($0) || function.hasPrefix("_" + $0) }
  }

  package static func isService(_ function: String) -> Bool {
    services.contains(where: function.hasPrefix)
  }

  package static func isLoop(_ function: String) -> Bool {
    loops.contains(where: function.hasPrefix)
  }
}
