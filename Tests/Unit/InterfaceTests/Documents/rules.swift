// language: 5
import Breadcrumbs
import CrashCapture
import Dispatch
import Foundation
import ThreadAffinity

typealias Prices = [String: Int]
typealias Row = String

final class Board {
  func show(_ prices: Prices) {}
  func show(_ rows: [Row]) {}
  func layOut() {}
  func layOut(_ rows: [Row]) {}
  func layOut(readingFrom disk: Disk) {}
  func finish() {}
}

@MainActor final class Screen {
  func show(_ prices: Prices) {}
  func show(_ rows: [Row]) {}
  func finish() {}
  nonisolated init() {}
}

let screen = Screen()

final class Disk {
  func read() -> [Row] { [] }
}

final class Download {
  func start(_ body: @escaping (Prices) -> Void) {}
  func cancel() {}
}

struct Upload {
  let isOk: Bool
}

/// An event loop, to whoever hands it work.
struct EventLoop: Sendable {
  func execute(_ work: @escaping @Sendable () -> Void) {}
}

let loop = EventLoop()

func upload(_ body: @escaping (Upload) -> Void) {}
func enterBackground() {}

let recorder = try! BreadcrumbRecorder(path: "breadcrumbs.log")
let queue = DispatchQueue(label: "com.example.queue")
let worker = DispatchQueue(label: "com.example.worker")
let (board, disk, download) = (Board(), Disk(), Download())
let (prices, fetched): (Prices, [Row]) = ([:], [])
let old = prices
var rows: [Row] = []

final class Repository: @unchecked Sendable {
  let home = Affinity.queue(queue)
  func save(_ rows: [Row]) {}
}

final class Cache: @unchecked Sendable {
  func store(_ number: Int) {}
}

let (repository, cache, cacheQueue) = (Repository(), Cache(), queue)
let (first, second, updates) = (MainHop(screen), MainHop(screen), MainHop(screen))
let hop = MainHop(screen)

protocol SessionDelegate: AnyObject {
  func didEnd()
}

/// A library that was compiled without strict concurrency.
struct Legacy: Sendable {
  func load(_ body: @escaping (Prices) -> Void) {}
}

func load(_ body: @escaping (Prices) -> Void) {}
func pay() async {}

let legacy = Legacy()
nonisolated(unsafe) var shown: Prices = [:]
@MainActor var count = 0
