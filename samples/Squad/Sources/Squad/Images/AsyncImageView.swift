import Foundation
import HeadlessUI
import ThreadAffinity

/// Shows the picture of an address once it has come; every picture of the app is in one of these.
package final class AsyncImageView: View, @unchecked Sendable {
  private let imageView = ImageView()
  /// Is seen where there is no picture in front of it.
  private let caption = Label(lines: 0)
  private let room: Size
  private let care: ImageCare
  private var work: (any Cancellable)?
  /// Which request's picture may be shown: each has a number, and only the last one counts.
  private var token = 0

  /// - Parameter room: How large the picture may become.
  package init(_ room: Size, care: ImageCare) {
    self.room = room
    self.care = care
    super.init(frame: Rect(origin: .zero, size: room))
    caption.textAlignment = .center
    addSubview(caption)
    addSubview(imageView)
  }

  deinit { if care.contains(.cancels) { work?.cancel() } }

  /// The name of whoever is in the picture; nil where there is none yet.
  package var shownName: String? { imageView.image?.name }

  /// Fetches the picture of an address and shows it, in place of any other.
  package func show(_ url: URL?, of name: String, from source: ImageSource, _ strings: Strings) {
    prepareForReuse()
    guard let url else {
      caption.text = strings(.imageMissing)
      return
    }
    if let picture = source.remembered(url) {
      imageView.image = picture.image(named: name, fitting: room)
      return
    }
    caption.text = strings(.imageLoading)
    let token = token
    if care.contains(.hops) {
      let hop = MainHop(self, "picture")
      work = source.load(url) { outcome in
        hop.send { $0.land(outcome, of: name, for: token, strings) }
      }
    } else {
      work = source.load(url) { [weak self] outcome in
        self?.land(outcome, of: name, for: token, strings)
      }
    }
  }

  /// Makes it empty, for another picture.
  package func prepareForReuse() {
    token += 1
    if care.contains(.cancels) { work?.cancel() }
    work = nil
    imageView.image = nil
    caption.text = ""
  }

  private func land(
    _ outcome: Result<Picture, ImageError>, of name: String, for token: Int, _ strings: Strings
  ) {
    if care.contains(.checksTokens) && token != self.token { return }
    switch outcome {
    case .success(let picture): imageView.image = picture.image(named: name, fitting: room)
    case .failure: caption.text = strings(.imageMissing)
    }
  }

  package override func sizeThatFits(_ room: Size) -> Size { self.room }

  package override func layoutSubviews() {
    let size = frame.size
    let lines = caption.sizeThatFits(size).height
    caption.frame = Rect(
      x: 0, y: max(0, (size.height - lines) / 2), width: size.width, height: lines)
    imageView.frame = Rect(
      origin: Point(x: max(0, (size.width - room.width) / 2), y: 0), size: room)
  }
}
