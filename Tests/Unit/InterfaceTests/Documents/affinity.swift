import Dispatch

struct Image: Sendable {}

@MainActor final class View {
  func show(_ fraction: Double) {}
  func show(_ image: Image?, _ error: (any Error)?) {}
}

final class Downloader: Sendable {
  func onProgress(_ body: @escaping @Sendable (Double) -> Void) {}
}

final class Loader: Sendable {
  func load(completion: @escaping @Sendable (Image?, (any Error)?) -> Void) {}
}

let databaseQueue = DispatchQueue(label: "com.example.database")
let downloader = Downloader()
let loader = Loader()
@MainActor let view = View()

let table = Table()
let book = Book()
let row = 1

final class Table: Sendable {
  func insert(_ row: Int) {}
}

actor Book {
  func insert(_ row: Int) {}
}
