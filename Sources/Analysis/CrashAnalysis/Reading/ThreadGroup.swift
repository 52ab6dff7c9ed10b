import IncidentModel

/// The threads of a picture whose stacks have the same functions and lines.
package struct ThreadGroup: Sendable {
  /// The threads, in the order of the picture.
  package private(set) var threads: [CrashThread]
  /// The frames of each of the threads, innermost first.
  package let frames: [Frame]
  package let end: Stack.End

  /// True if own code is on the stack.
  package var hasOwnCode: Bool { frames.contains { $0.role == .code && $0.isNamed } }

  /// The innermost function.
  package var innermost: CodePlace? { frames.first?.place }

  /// Groups a picture's threads: groups with own code first, then larger groups first.
  static func groups(of picture: ProcessPicture, _ reader: FrameReader) -> [ThreadGroup] {
    var places: [[CodePlace]: Int] = [:]
    var groups: [ThreadGroup] = []
    for thread in picture.threads {
      let frames = reader.frames(at: thread.stack.frames, when: .max)
      let key = frames.map(\.place)
      if let place = places[key], !frames.isEmpty || groups[place].end == thread.stack.end {
        groups[place].threads.append(thread)
      } else {
        places[key] = groups.count
        groups.append(ThreadGroup(threads: [thread], frames: frames, end: thread.stack.end))
      }
    }
    let ranked = groups.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      if a.hasOwnCode != b.hasOwnCode { return a.hasOwnCode }
      if a.threads.count != b.threads.count { return a.threads.count > b.threads.count }
      return left.offset < right.offset
    }
    return ranked.map(\.element)
  }
}
