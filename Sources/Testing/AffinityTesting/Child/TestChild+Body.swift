internal import CTestProcess

extension TestChild {
  /// Runs `body` on the main thread of a child process, and waits up to `wait` for the work that
  /// `body` started.
  package static func run(
    _ body: @convention(c) () -> Void, within wait: Duration
  ) async throws -> TestChild {
    guard let code = CodeAddress(of: ms_address_of(body)) else { throw StormError.unknownBody }
    return try await run(code, isAsync: false, within: wait)
  }

  /// Runs an asynchronous `body` in a child process, and waits up to `wait` for the work that
  /// `body` started.
  package static func run(
    _ body: @escaping @Sendable () async -> Void, within wait: Duration
  ) async throws -> TestChild {
    let code = try AsyncBody(body: body).place(orElse: .capturingCrash)
    return try await run(code, isAsync: true, within: wait)
  }

  private static func run(
    _ code: CodeAddress, isAsync: Bool, within wait: Duration
  ) async throws -> TestChild {
    let milliseconds = Int(wait / .milliseconds(1))
    return try await run(
      .run(isAsync: isAsync, waiting: milliseconds), code: code,
      patience: 60 + Double(milliseconds) / 1000)
  }
}

extension StormError {
  fileprivate static let capturingCrash = StormError(
    description:
      "expectCrash requires a body closure without captures, because a child process runs the closure; create the values that the closure needs inside the closure"
  )
}
