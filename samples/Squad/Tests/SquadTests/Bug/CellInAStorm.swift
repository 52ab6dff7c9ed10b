import Dispatch
import Foundation
import Synchronization
import ThreadAffinity

@testable import Squad

/// A cell of the squad whose pictures come when somebody says so, the oldest first: also those that it
/// has cancelled, for an answer may be under way already when nobody wants it any more.
final class CellInAStorm: Sendable {
  private let pending: Pending
  private let cell: SquadCell
  private let surroundings: Surroundings

  @MainActor init(_ care: ImageCare) async {
    let pending = Pending()
    self.pending = pending
    let nobody = HeroAPI(
      heroes: { _, _ in CancelFlag() }, appearances: { _, _ in CancelFlag() })
    surroundings = Surroundings(
      data: DataProvider(
        api: nobody, persister: Persister(directory: URL(fileURLWithPath: "/nowhere"))),
      images: ImageSource(remembered: { _ in nil }, load: { pending.add($1) }), care: care)
    cell = SquadCell(care: care)
    change()
  }

  /// Answers the oldest request that was not answered yet, from wherever this is called.
  func answer(with outcome: Result<Picture, ImageError>) { pending.takeFirst()?(outcome) }

  /// Gives the cell to the next hero, as the list does: on the main queue.
  func change() {
    if MainQueue.isCurrent {
      let id = (cell.hero?.id ?? 0) + 1
      let image = URL(string: "http://127.0.0.1/\(id).pgm")
      cell.show(
        Superhero(id: id, name: "Hero \(id)", about: "", image: image), in: surroundings)
    } else {
      DispatchQueue.main.async { self.change() }
    }
  }

  /// Whether whoever is in the picture is in the cell; on the main queue.
  var isRight: Bool { cell.picturedName == nil || cell.picturedName == cell.hero?.name }
}

/// Requests that wait for an answer.
private final class Pending: Sendable {
  private let answers = Mutex<[ImageLoader.Answer]>([])

  func add(_ answer: @escaping ImageLoader.Answer) -> any Cancellable {
    answers.withLock { $0.append(answer) }
    return CancelFlag()
  }

  func takeFirst() -> ImageLoader.Answer? {
    answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}

enum PictureSamples {
  /// A picture of one grey.
  static let grey: Result<Picture, ImageError> =
    Picture(pgm: Data("P5 2 2 255 abcd".utf8)).map { .success($0) } ?? .failure(.noPicture)
}
