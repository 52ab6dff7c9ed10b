private actor Counter {
  var count = 0
  func increment() {
    compare("an actor")
    count += 1
  }
}

@MainActor
private func onMain() { compare("the main actor") }

@inline(never)
private func suspended(_ depth: Int) async {
  if depth > 0 {
    await suspended(depth - 1)
  } else {
    await Task.yield()
    compare("after a suspension")
  }
  compare("an async function")
}

extension Subject {
  static let concurrency: [Subject] = [
    Subject("async function") { await suspended(4) },
    Subject("Task") {
      await Task { compare("a task") }.value
      await Task.detached { [1, 2].forEach { _ in compare("a detached task") } }.value
    },
    Subject("actor") {
      let counter = Counter()
      await counter.increment()
    },
    Subject("main actor") { await onMain() },
    Subject("task group") {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { compare("a child task") } }
      }
      async let child: Void = suspended(1)
      await child
    },
    Subject("continuation") {
      await withCheckedContinuation { continuation in
        compare("a continuation's body")
        continuation.resume()
      }
    },
    Subject("AsyncStream") {
      let stream = AsyncStream<Int> { continuation in
        compare("a stream's body")
        continuation.onTermination = { _ in compare("onTermination") }
        continuation.yield(1)
        continuation.finish()
      }
      for await _ in stream { compare("an element") }
    },
    Subject("cancellation") {
      let task = Task {
        await withTaskCancellationHandler {
          while !Task.isCancelled { await Task.yield() }
        } onCancel: {
          compare("onCancel")
        }
      }
      task.cancel()
      await task.value
    },
  ]
}
