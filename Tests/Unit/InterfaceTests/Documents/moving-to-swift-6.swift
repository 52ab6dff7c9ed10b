struct Rows: Sendable {}

/// A library that was compiled without strict concurrency.
struct Legacy: Sendable {
  func load(_ body: @escaping (Rows) -> Void) {}
}

@MainActor final class Screen { var rows = Rows() }

@MainActor let screen = Screen()
let legacy = Legacy()
