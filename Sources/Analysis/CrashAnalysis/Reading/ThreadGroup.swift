import IncidentModel

/// Threads of a picture that are in the same place: their stacks have the same functions and lines.
package struct ThreadGroup: Sendable {
  /// In the order of the picture.
  package private(set) var threads: [CrashThread]
  /// The frames of all of them, innermost first.
  package let frames: [Frame]
  package let end: Stack.End

  /// Whether the program's own code is on the stack.
  package var hasOwnCode: Bool { frames.contains { $0.role == .code && $0.isNamed } }

  /// The innermost function of all of them.
  package var innermost: CodePlace? { frames.first?.place }

  /// The groups of a picture's threads: those that run the program's own code first, then the larger ones.
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
