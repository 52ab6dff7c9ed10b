import IncidentModel

/// The threads and tasks of a picture, grouped by the place where they are.
package struct PictureGroups: Sendable {
  package var threads: [ThreadGroup]
  package var tasks: [TaskGroup]
}

extension Analyzer {
  /// Groups the threads and tasks of a picture by place. The modules of the last analyzed input
  /// symbolicate them.
  package func groups(of picture: ProcessPicture) -> PictureGroups {
    PictureGroups(
      threads: ThreadGroup.groups(of: picture, frameReader),
      tasks: picture.tasks.map { TaskGroup.groups(of: $0, frameReader) } ?? [])
  }
}
