import Breadcrumbs
import CrashCapture

let recorder = try! BreadcrumbRecorder(path: "breadcrumbs.log")
struct Entry: Sendable {}

actor Ledger {}

actor Book {
  func insert(_ row: Int) {}
  func total() async throws -> Int { 0 }
}

final class Downloader: Sendable {
  func onProgress(_ body: @escaping @Sendable (Double) -> Void) {}
}

@MainActor final class View {
  func show(_ fraction: Double) {}
}

let book = Book()
let row = 1
let downloader = Downloader()
@MainActor let view = View()
