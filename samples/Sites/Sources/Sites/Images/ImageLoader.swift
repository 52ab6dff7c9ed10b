import Foundation
import FoundationNetworking
import SampleSupport
import Synchronization

/// Fetches images, draws them off the main queue, and keeps them for when they cannot be fetched.
final class ImageLoader: Sendable {
  /// Where an image is looked for first.
  enum Source: Sendable {
    /// Among those that were saved: they rarely change.
    case saved
    /// At its address; what was saved is for when nobody answers there.
    case address
  }

  private struct Key: Hashable {
    let address: WebAddress
    let width: Int
    let height: Int
  }

  private let transport: any Transport
  private let archive: FileArchive
  private let timeout: TimeInterval
  /// Images that were drawn; as many as a long list shows.
  private let drawn = Mutex(RecentValues<Key, Bitmap>(capacity: 256))
  private let queue = DispatchQueue(label: "sites.images")

  /// Makes a loader that keeps what it fetches in `archive`.
  init(
    transport: any Transport, archive: FileArchive, timeout: TimeInterval = 10
  ) {
    self.transport = transport
    self.archive = archive
    self.timeout = timeout
  }

  /// Loads an image into `width` times `height` pixels.
  ///
  /// - Parameter show: Called on the main queue with how far it has come; not any more once the load that is
  ///   returned is let go of or cancelled.
  func load(
    _ address: WebAddress, width: Int, height: Int, from source: Source = .saved,
    show: @escaping @MainActor (ImagePhase) -> Void
  ) -> ImageLoad {
    let load = ImageLoad(show)
    let key = Key(address: address, width: width, height: height)
    guard let url = address.url else {
      load.answer(.failure(.malformedAddress))
      return load
    }
    if source == .saved, let bitmap = drawn.withLock({ $0[key] }) {
      load.answer(.success(bitmap))
      return load
    }
    load.answer(.loading)
    queue.async { [weak load] in
      guard let load else { return }
      if source == .saved, let bitmap = self.savedBitmap(key) {
        load.answer(.success(bitmap))
      } else {
        self.fetch(url, key, load)
      }
    }
    return load
  }

  private func fetch(_ url: URL, _ key: Key, _ load: ImageLoad) {
    let cancel = transport.load(URLRequest(fresh: url, timeout: timeout)) {
      [weak load] data, response, error in
      guard let load else { return }
      let outcome = HTTPOutcome(data, response, error)
      self.queue.async { load.answer(self.phase(key, outcome)) }
    }
    load.onCancel(cancel)
  }

  private func phase(_ key: Key, _ outcome: HTTPOutcome) -> ImagePhase {
    switch outcome {
    case .success(let data): phase(key, drawing: data)
    case .failure(let failure):
      if let bitmap = savedBitmap(key) {
        .success(bitmap)
      } else {
        .failure(.requestFailed(NetworkError.Failure(failure)))
      }
    }
  }

  private func phase(_ key: Key, drawing data: Data) -> ImagePhase {
    do throws(ImageError) {
      let bitmap = try Bitmap(drawing: Array(data), width: key.width, height: key.height)
      archive.save(data, as: key.address.text)
      remember(bitmap, key)
      return .success(bitmap)
    } catch {
      return .failure(error)
    }
  }

  private func savedBitmap(_ key: Key) -> Bitmap? {
    guard let data = archive.bytes(of: key.address.text),
      let bitmap = try? Bitmap(drawing: Array(data), width: key.width, height: key.height)
    else { return nil }
    remember(bitmap, key)
    return bitmap
  }

  private func remember(_ bitmap: Bitmap, _ key: Key) {
    drawn.withLock { $0[key] = bitmap }
  }
}
