/// The status records of a task: its children, its groups, its name, and its dependency.
struct StatusRecords {
  /// The object that a task waits for.
  enum Dependency {
    case task(UInt64)
    case continuation(UInt64)
    case group(UInt64)
    /// The executor on which the task is enqueued: its object and witness.
    case executor(UInt64, UInt64)
  }

  private(set) var dependency: Dependency?
  private(set) var name: String?
  /// The addresses of the runtime's own words that point to tasks.
  private(set) var links: [UInt64] = []

  private enum Kind {
    static let dependency: UInt64 = 0
    static let child: UInt64 = 1
    static let group: UInt64 = 2
    static let name: UInt64 = 6
  }

  private static let most = 256

  init(of task: TaskObject, _ reader: WordReader) {
    var next = task.record
    for _ in 0..<Self.most {
      guard next != 0, let flags = reader.word(at: next), let parent = reader.word(at: next &+ 8),
        let first = reader.word(at: next &+ 16), let second = reader.word(at: next &+ 24)
      else { return }
      switch flags & 0xff {
      case Kind.dependency:
        // A valid record contains the address of the waiting task.
        guard let kind = reader.half(at: next &+ 32),
          reader.word(at: next &+ 40) == task.address
        else { break }
        links += [next &+ 16, next &+ 24, next &+ 40]
        if dependency == nil { dependency = Self.dependency(kind, first, second) }
      case Kind.child, Kind.group: links += [next &+ 16, next &+ 24]
      case Kind.name: if name == nil { name = reader.text(at: first) }
      default: break
      }
      next = parent
    }
  }

  private static func dependency(_ kind: UInt32, _ first: UInt64, _ second: UInt64) -> Dependency? {
    switch kind {
    case 1: .task(first)
    case 2: .continuation(first)
    case 3: .group(first)
    case 4: .executor(first, second)
    default: nil
    }
  }
}
