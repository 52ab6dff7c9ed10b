import CrashAnalysis

/// A function that takes functions, and the place where it calls them.
struct CallbackAPI: Equatable {
  enum Place: String {
    /// A thread or queue that is not the main one, unless the main queue is an argument.
    case elsewhere
    /// The queue with which the receiver was made.
    case receiver
    case main
    /// The calling thread, before the call returns.
    case inline
    /// Unknown: later, on a thread that other calls determine.
    case kept
    /// None: the result of the call carries the functions.
    case holder
  }

  var place: Place
  /// The pattern of its readable name, in which `*` matches any text.
  var pattern: String
  /// The place as a clause: "calls it on a queue of the session".
  var rule: String

  /// Parses a line of a table: `place | pattern | rule`; nil if the line is malformed.
  init?(line: Substring) {
    let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(trimmed)
    guard fields.count == 2 || fields.count == 3, let place = Place(rawValue: fields[0]),
      !fields[1].isEmpty
    else { return nil }
    self.place = place
    pattern = fields[1]
    rule = fields.count == 3 ? fields[2] : ""
  }
}

/// The functions that are known to call back: a table of the toolchain's and common packages' functions, and the
/// project's own.
package struct CallbackTable {
  /// The entries that apply to readable names, the project's first.
  private var entries: [CallbackAPI]

  package init() { entries = Self.known }

  /// An error in a table of a project.
  package struct LineError: Error {
    package var line: Int
    package var text: String
  }

  /// Adds the entries of a text, one in each line; `#` begins a comment.
  package mutating func add(_ text: String) throws(LineError) {
    var added: [CallbackAPI] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let content = line.prefix { $0 != "#" }
      if trimmed(content).isEmpty { continue }
      guard let entry = CallbackAPI(line: content) else {
        throw LineError(line: index + 1, text: String(line))
      }
      added.append(entry)
    }
    entries = added + entries
  }

  /// The entry for a function, by its readable name.
  func api(_ readable: String) -> CallbackAPI? {
    var name = readable[...]
    while let prefix = Self.prefixes.first(where: name.hasPrefix) { name.removeFirst(prefix.count) }
    return entries.first { matches(name, $0.pattern[...]) }
  }

  private static let prefixes = [
    "static ", "specialized ", "generic specialized ", "dispatch thunk of ", "merged ",
    "method lookup function for ",
  ]

  private static let known: [CallbackAPI] = text.split(separator: "\n").compactMap(CallbackAPI.init)

  static let text = """
    inline | DispatchQueue.sync* |
    inline | DispatchQueue._sync* |
    elsewhere | DispatchQueue.concurrentPerform* | Dispatch calls it on several threads at once
    elsewhere | DispatchQueue.async* | Dispatch calls it on the queue
    elsewhere | DispatchQueue._async* | Dispatch calls it on the queue
    elsewhere | DispatchQueue.schedule* | Dispatch calls it on the queue
    elsewhere | DispatchGroup.notify* | Dispatch calls it on the queue
    receiver | DispatchSource*.set*Handler* | Dispatch calls it on the queue with which the source was made
    elsewhere | DispatchIO.* | Dispatch calls it on the queue of the channel
    elsewhere | DispatchWorkItem.notify* | Dispatch calls it on the queue
    holder | DispatchWorkItem.*init* |
    elsewhere | URLSession.*ask(with:completionHandler:) | URLSession calls it on the queue of the session, which is not the main queue unless delegateQueue is .main
    elsewhere | URLSession.*ask(with:from:completionHandler:) | URLSession calls it on the queue of the session, which is not the main queue unless delegateQueue is .main
    elsewhere | URLSession.*ask(with:fromFile:completionHandler:) | URLSession calls it on the queue of the session, which is not the main queue unless delegateQueue is .main
    elsewhere | URLSession.*ask(withResumeData:completionHandler:) | URLSession calls it on the queue of the session, which is not the main queue unless delegateQueue is .main
    elsewhere | URLSession.*completionHandler:* | URLSession calls it on the queue of the session, which is not the main queue unless delegateQueue is .main
    elsewhere | NotificationCenter.addObserver(forName:object:queue:using:) | without a queue, the notification center calls it on the thread that posts the notification
    elsewhere | OperationQueue.add* | the operation queue calls it on a thread of its own
    holder | BlockOperation.*init* |
    elsewhere | Operation.completionBlock.setter | Foundation calls it on a thread of its own
    elsewhere | Thread.*init(block:) | the new thread calls it
    elsewhere | Thread.detachNewThread* | the new thread calls it
    elsewhere | Process.terminationHandler.setter | Foundation calls it on a thread of its own
    elsewhere | Process.run* | Foundation calls it on a thread of its own
    elsewhere | FileHandle.*abilityHandler.setter | Dispatch calls it on a queue of the file handle
    kept | Timer.* | the run loop that the timer is scheduled on calls it
    kept | RunLoop.perform* | the run loop calls it
    elsewhere | URLProtocol* | the URL loading system calls it on a thread of its own
    elsewhere | EventLoop.* | the event loop calls it
    elsewhere | EventLoopFuture*.* | the event loop of the future calls it
    elsewhere | EventLoopPromise*.* | the event loop of the promise calls it
    elsewhere | EventLoopGroup.* | an event loop calls it
    elsewhere | SelectableEventLoop.* | the event loop calls it
    elsewhere | NIOThreadPool.* | a thread of the pool calls it
    elsewhere | NonBlockingFileIO.* | a thread of a pool or an event loop calls it
    elsewhere | Bootstrap.*nitializer* | the event loop of the channel calls it
    kept | swift_task_create* | a task calls it
    kept | swift_asyncLet* | a task calls it
    inline | MainActor.assumeIsolated* |
    inline | Actor.assumeIsolated* |
    elsewhere | pthread_create | the new thread calls it
    elsewhere | signal | the signal handler runs on any thread
    elsewhere | sigaction | the signal handler runs on any thread
    elsewhere | timer_create | a thread of the timer calls it
    elsewhere | dispatch_async* | Dispatch calls it on the queue
    elsewhere | dispatch_after* | Dispatch calls it on the queue
    elsewhere | dispatch_group_* | Dispatch calls it on the queue
    receiver | dispatch_source_* | Dispatch calls it on the queue with which the source was made
    inline | dispatch_sync* |
    inline | dispatch_apply* |
    kept | atexit | the thread that calls exit calls it
    kept | on_exit | the thread that calls exit calls it
    inline | qsort* |
    inline | bsearch |
    inline | ftw* |
    inline | nftw* |
    inline | glob* |
    inline | scandir* |
    inline | dl_iterate_phdr |
    inline | swift_once |
    inline | dispatch_once* |
    """
}

/// Returns true if a text matches a pattern, in which `*` stands for any text.
func matches(_ text: Substring, _ pattern: Substring) -> Bool {
  var parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
  let first = parts.removeFirst()
  guard text.hasPrefix(first) else { return false }
  guard let last = parts.popLast() else { return text == first }
  var rest = text.dropFirst(first.count)
  for part in parts where !part.isEmpty {
    guard let found = rest.firstRange(of: part) else { return false }
    rest = rest[found.upperBound...]
  }
  return rest.count >= last.count && rest.hasSuffix(last)
}

private func trimmed(_ text: Substring) -> String {
  var text = text.drop { $0 == " " || $0 == "\t" }
  while text.last == " " || text.last == "\t" { text.removeLast() }
  return String(text)
}
