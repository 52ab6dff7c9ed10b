precondition(Thread.isMainThread, "must be called on the main thread")
fatalError("Oven.fire() must be called on the main thread")
