import Dispatch
import Foundation
import SampleSupport

/// Keeps values in files of one directory, one each.
///
/// All of it happens on a queue of its own, where the answers come too. A value is on file as a whole or
/// not at all, whenever the process dies; a file that cannot be read is put aside, not deleted.
package final class Persister: Sendable {
  /// What an answer is handed to, on the persister's queue.
  package typealias Answer<Value> = @Sendable (Result<Value, PersisterError>) -> Void

  /// What is in a file: the value, and by which rules it was written.
  private struct Envelope<Value: Codable>: Codable {
    let version: Int
    let value: Value
  }

  /// Files of another version count as damaged; to be raised when the models change.
  private static var version: Int { 1 }

  package let directory: URL
  private let queue = DispatchQueue(label: "squad.persister")

  package init(directory: URL) { self.directory = directory }

  /// Hands over what was saved under that name; nil where there is nothing.
  package func load<Value: Codable & Sendable>(
    _ type: Value.Type = Value.self, named name: String, answer: @escaping Answer<Value?>
  ) {
    queue.async { answer(Result { () throws(PersisterError) in try self.read(type, name) }) }
  }

  /// Puts a value on file in the place of the last one.
  package func save<Value: Codable & Sendable>(
    _ value: Value, named name: String, answer: @escaping Answer<Void> = { _ in }
  ) {
    queue.async { answer(Result { () throws(PersisterError) in try self.write(value, name) }) }
  }

  /// Changes a value where nothing comes between reading and writing it.
  ///
  /// - Parameter value: What is changed where nothing was saved, or nothing readable.
  package func update<Value: Codable & Sendable>(
    named name: String, default value: Value, answer: @escaping Answer<Value>,
    _ change: @escaping @Sendable (inout Value) -> Void
  ) {
    queue.async {
      answer(
        Result { () throws(PersisterError) in
          var changed = value
          do throws(PersisterError) {
            changed = try self.read(Value.self, name) ?? value
          } catch {
            // It was put aside; with any other failure writing would fail too.
            guard error == .damaged else { throw error }
          }
          change(&changed)
          try self.write(changed, name)
          return changed
        })
    }
  }
}

// MARK: On the queue

extension Persister {
  private func read<Value: Codable>(
    _ type: Value.Type, _ name: String
  ) throws(PersisterError) -> Value? {
    do {
      guard let envelope = try JSONFile<Envelope<Value>>(file(name)).read() else { return nil }
      if envelope.version == Self.version { return envelope.value }
    } catch is DecodingError {
      // As good as one of another version.
    } catch {
      throw .unreadable
    }
    putAside(file(name))
    throw .damaged
  }

  private func write<Value: Codable>(
    _ value: Value, _ name: String
  ) throws(PersisterError) {
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try JSONFile<Envelope<Value>>(file(name)).write(
        Envelope(version: Self.version, value: value))
    } catch {
      throw .unwritable
    }
  }

  private func file(_ name: String) -> URL { directory.appendingPathComponent(name + ".json") }

  private func putAside(_ file: URL) {
    let aside = file.appendingPathExtension("damaged")
    try? FileManager.default.removeItem(at: aside)
    try? FileManager.default.moveItem(at: file, to: aside)
  }
}
