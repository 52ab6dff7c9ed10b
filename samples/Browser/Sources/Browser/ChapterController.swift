import HeadlessUI
import ThreadAffinity

/// One chapter, in a stack that scrolls. It begins to load with its view: a neighbour of the page that
/// is seen does so before anybody turns to it.
package final class ChapterController: ScrollableStackController, @unchecked Sendable {
  private let number: Int
  private let loader: any ChapterLoading
  private let care: ChapterCare
  private var work: ChapterLoad?

  package init(_ number: Int, loader: any ChapterLoading, care: ChapterCare) {
    self.number = number
    self.loader = loader
    self.care = care
    super.init(spacing: 1)
    title = "Chapter \(number + 1)"
  }

  deinit { work?.cancel() }

  package override func viewDidLoad() { load() }

  /// Loads the chapter, for the first time or again.
  private func load() {
    work?.cancel()
    setViews([Label("loading …")])
    if care == .hop {
      let hop = MainHop(self, "chapter")
      work = loader.load(number) { answer in hop.send { $0.show(answer) } }
    } else {
      work = loader.load(number) { [weak self] answer in self?.show(answer) }
    }
  }

  private func show(_ answer: Result<Chapter, ChapterError>) {
    uiWork("chapter") {
      switch answer {
      case .success(let chapter):
        title = chapter.title
        let texts = [chapter.title.uppercased()] + chapter.paragraphs
        setViews(texts.map { Label($0, lines: 0) })
      case .failure(let error):
        let again = Button("Try again") { [weak self] in self?.load() }
        setViews([Label("No chapter: \(error.reason).", lines: 0), again])
      }
    }
  }
}
