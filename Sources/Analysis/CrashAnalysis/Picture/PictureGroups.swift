import IncidentModel

/// The threads and the tasks of a picture, those in the same place together.
package struct PictureGroups: Sendable {
  package var threads: [ThreadGroup]
  package var tasks: [TaskGroup]
}

extension Analyzer {
  /// Groups the threads and tasks of a picture by where they are; of the input that was analyzed last, whose modules name
  /// them.
  package func groups(of picture: ProcessPicture) -> PictureGroups {
    PictureGroups(
      threads: ThreadGroup.groups(of: picture, frameReader),
      tasks: picture.tasks.map { TaskGroup.groups(of: $0, frameReader) } ?? [])
  }
}
