import Dispatch

/// Runs `body` on a queue, as libraries do.
func onQueue(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    DispatchQueue(label: "bank.network").async {
      body()
      continuation.resume()
    }
  }
}
