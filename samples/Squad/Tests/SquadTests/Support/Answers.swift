/// What is handed to a callback, awaited.
func answer<Value: Sendable>(
  of ask: sending (@escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
  await withCheckedContinuation { continuation in ask { continuation.resume(returning: $0) } }
}
