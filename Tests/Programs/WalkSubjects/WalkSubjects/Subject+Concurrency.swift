private actor Counter {
  var count = 0
  func increment() {
    compareWalks("an actor")
    count += 1
  }
}

@MainActor
private func onMain() { compareWalks("the main actor") }

// In functions of their own, for Swift 6.0 sees no change of actor in a closure below.
private func callActor() async { await Counter().increment() }
private func callMainActor() async { await onMain() }

@inline(never)
private func suspended(_ depth: Int) async {
  if depth > 0 {
    await suspended(depth - 1)
  } else {
    await Task.yield()
    compareWalks("after a suspension")
  }
  compareWalks("an async function")
}

extension Subject {
  static let concurrency: [Subject] = [
    Subject("async function") { await suspended(4) },
    Subject("Task") {
      await Task { compareWalks("a task") }.value
      await Task.detached { [1, 2].forEach { _ in compareWalks("a detached task") } }.value
    },
    Subject("actor") { await callActor() },
    Subject("main actor") { await callMainActor() },
    Subject("task group") {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { compareWalks("a child task") } }
      }
      async let child: Void = suspended(1)
      await child
    },
    Subject("continuation") {
      await withCheckedContinuation { continuation in
        compareWalks("a continuation's body")
        continuation.resume()
      }
    },
    Subject("AsyncStream") {
      let stream = AsyncStream<Int> { continuation in
        compareWalks("a stream's body")
        continuation.onTermination = { _ in compareWalks("onTermination") }
        continuation.yield(1)
        continuation.finish()
      }
      for await _ in stream { compareWalks("an element") }
    },
    Subject("cancellation") {
      let task = Task {
        await withTaskCancellationHandler {
          while !Task.isCancelled { await Task.yield() }
        } onCancel: {
          compareWalks("onCancel")
        }
      }
      task.cancel()
      await task.value
    },
  ]
}
