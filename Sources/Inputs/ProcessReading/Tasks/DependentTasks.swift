/// Finds the tasks that cannot go on before another task ends: their functions cannot resume it.
struct DependentTasks {
  /// The tasks that wait for the end of each, by addresses.
  private var waiting: [UInt64: [UInt64]] = [:]
  /// The unfinished children of each.
  private var children: [UInt64: [UInt64]] = [:]
  private static let most = 1024

  init(_ tasks: [TaskObject], _ reader: WordReader) {
    for task in tasks where !task.isComplete {
      if let parent = task.parent(reader) { children[parent, default: []].append(task.address) }
    }
    for task in tasks where task.hasDependency && !task.isRunning && !task.isEnqueued {
      switch StatusRecords(of: task, reader).dependency {
      case .task(let other): waiting[other, default: []].append(task.address)
      case .group:
        // Any child ends the wait for the next one of a group, so that there must be one alone.
        if let all = children[task.address], all.count == 1 {
          waiting[all[0], default: []].append(task.address)
        }
      case .continuation, .executor, nil: break
      }
    }
  }

  /// The task itself, and those that wait for its end, directly or by way of others.
  func all(on task: UInt64) -> Set<UInt64> {
    var found: Set<UInt64> = [task]
    var open = [task]
    while let next = open.popLast(), found.count < Self.most {
      for waiter in waiting[next] ?? [] where !found.contains(waiter) {
        // Its other children may still read what its functions keep.
        guard (children[waiter] ?? []).allSatisfy(found.contains) else { continue }
        found.insert(waiter)
        open.append(waiter)
      }
    }
    return found
  }
}
