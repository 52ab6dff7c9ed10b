import Foundation
import HeadlessUI
import Observation

/// Shows a page with what a browser has around it: the title, the buttons, the links.
final class BrowserView: View, @unchecked Sendable {
  private let model: BrowserModel
  private let texts: Localization
  private let title = Label()
  private let wheel: LoadingWheel
  private let message = Label(lines: 0)
  private let content = Label(lines: 0)
  private let scroll = ScrollView()
  private let links = StackView(.horizontal, spacing: 1)
  private let bar = StackView(.horizontal, spacing: 1)
  private let back: Button
  private var shown: WebPage?
  private var isStale = true

  /// Shows a model, in whatever state it is.
  ///
  /// - Parameters:
  ///   - close: What “Done” does.
  ///   - openOutside: Shows the address in the system's browser.
  init(
    model: BrowserModel, localization: Localization, close: @escaping () -> Void,
    openOutside: @escaping (URL) -> Void
  ) {
    self.model = model
    texts = localization
    wheel = LoadingWheel(localization(.browserLoading))
    back = Button(localization(.browserBack)) { model.goBack() }
    super.init()
    let buttons = [
      Button(texts(.browserDone), onTap: close), back,
      Button(texts(.browserReload)) { model.load() },
      Button(texts(.browserOutside)) { openOutside(model.address) },
    ]
    for button in buttons { bar.addArrangedSubview(button) }
    scroll.addSubview(content)
    for view in [title, wheel, message, scroll, links, bar] { addSubview(view) }
  }

  /// Shows the model if it has changed, and places the page between title and buttons.
  override func layoutSubviews() {
    if isStale { follow() }
    var rest = contentBounds
    for view in [title, wheel, message] where !view.isHidden {
      let height = view.sizeThatFits(rest.size).height
      view.frame = Rect(x: rest.minX, y: rest.minY, width: rest.width, height: height)
      rest = rest.inset(by: Insets(top: height))
    }
    for view in [bar, links] where !view.isHidden {
      view.frame = Rect(x: rest.minX, y: rest.maxY - 1, width: rest.width, height: 1)
      rest = rest.inset(by: Insets(bottom: 1))
    }
    scroll.frame = rest
    scroll.contentSize = content.sizeThatFits(rest.size)
    content.frame = Rect(origin: .zero, size: scroll.contentSize)
  }

  /// Covers what is below.
  override func draw(on canvas: Canvas) { canvas.fill(" ") }

  private func follow() {
    isStale = false
    withObservationTracking {
      show(model.page)
      if model.isLoading { wheel.startAnimating() } else { wheel.stopAnimating() }
      title.text = model.page?.title ?? model.address.absoluteString
      message.text = model.errorMessage ?? ""
      message.isHidden = message.text.isEmpty
      back.isHidden = !model.canGoBack
    } onChange: { [weak self] in
      self?.setNeedsLayout()
      self?.isStale = true
    }
  }

  private func show(_ page: WebPage?) {
    guard page != shown else { return }
    shown = page
    content.text = page?.text ?? ""
    scroll.contentOffset = .zero
    for button in links.arrangedSubviews { links.removeArrangedSubview(button) }
    for (index, _) in (page?.links ?? []).enumerated() {
      links.addArrangedSubview(Button("\(index + 1)") { [model] in model.follow(index + 1) })
    }
    links.isHidden = page?.links.isEmpty ?? true
  }
}
