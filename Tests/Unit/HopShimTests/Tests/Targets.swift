import ShimmedProtocols

/// A delegate that notes what reaches it.
final class Loader: LoaderDelegate, @unchecked Sendable {
  let log = Log()
  private var rows: [String: String] = [:]
  var title: String { log.note("title"); return "feed" }
  var level = 1 { didSet { log.note("level \(level)") } }

  func loaderBegan() { log.note("began") }
  func loader(_ name: String, didReceive bytes: [UInt8]) { log.note("\(name) \(bytes)") }
  func loader(_ name: String, progress: Double) { log.note("\(name) \(progress)") }
  func loader(_ name: String, shouldGoOn: @escaping @Sendable (Bool) -> Void) { shouldGoOn(true) }
  func loader(_ name: String, didFinish done: ((Int, (any Error)?) -> Void)?) { done?(1, nil) }
  func loader(onMain done: @escaping @MainActor @Sendable (Int) -> Void) { Task { await done(1) } }
  func loader(
    yes: @escaping @Sendable (Int) -> Void, no: @escaping @Sendable (String) -> Void
  ) { yes(1) }
  func retryCount(for name: String) -> Int { log.note("retry \(name)"); return 5 }
  func hint() -> String? { log.note("hint"); return "try" }
  subscript(row: Int, in section: String) -> String {
    get { log.note("read \(row)"); return rows["\(section)\(row)"] ?? "" }
    set { log.note("write \(row)"); rows["\(section)\(row)"] = newValue }
  }
  func oldEvent() { log.note("old") }
  func note(in class: Int, target: String, passed: Bool, hop: Int) -> Int {
    log.note("note \(`class`) \(target) \(passed) \(hop)")
    return 1
  }
  func `default`(_ first: Int, _ second: Int) { log.note("default \(first) \(second)") }
}

final class Text: Editor, @unchecked Sendable {
  let log = Log()
  func check(_ number: Int) throws -> String {
    log.note("check")
    if number < 0 { throw EditorError(code: number) }
    return "\(number)"
  }
  func save(_ number: Int) throws {
    log.note("save")
    if number < 0 { throw EditorError(code: number) }
  }
  func typed(_ number: Int) throws(EditorError) -> Int {
    log.note("typed")
    if number < 0 { throw EditorError(code: number) }
    return number
  }
  func adjust(_ number: inout Int) { log.note("adjust"); number += 1 }
  func swap(_ number: inout Int, _ other: inout String) -> Bool {
    log.note("swap")
    (number, other) = (Int(other) ?? 0, "\(number)")
    return true
  }
  func mixed(_ step: Int, _ number: inout Int) { log.note("mixed"); number += step }
  var size: Int { get throws { log.note("size"); return 12 } }
}

/// A target whose asynchronous code is isolated to nobody.
final class Network: Fetcher, @unchecked Sendable {
  let log = Log()
  func started(_ number: Int) { log.note("started \(number)") }
  func fetch(_ number: Int) async -> Int { log.note("fetch"); return number * 2 }
  func fetchOrThrow(_ number: Int) async throws -> String {
    log.note("fetchOrThrow")
    if number < 0 { throw EditorError(code: number) }
    await Task.yield()
    log.note("fetchOrThrow again")
    return "\(number)"
  }
  func fetchTyped(_ number: Int) async throws(EditorError) -> Int {
    log.note("fetchTyped")
    throw EditorError(code: number)
  }
  func pause() async { log.note("pause") }
  func fetchBox(_ box: Box) async -> Box { log.note("fetchBox"); return Box(box.number + 1) }
  @MainActor func fetchOnMain(_ box: Box) async -> Int { log.note("onMain"); return box.number }
  var count: Int { get async throws { log.note("count"); return 3 } }
}

final class Shelf: Store, @unchecked Sendable {
  let log = Log()
  private var values: [String: Int] = ["one": 1]
  func put(_ value: Int, for key: String) { log.note("put \(key)"); values[key] = value }
  func putAll(_ pairs: [(String, Int)], done: @escaping (Int) -> Void) {
    for (key, value) in pairs { put(value, for: key) }
    done(values.count)
  }
  func visit<T: Equatable, U>(_ value: T, _ other: U) where U: CustomStringConvertible {
    log.note("visit \(value) \(other)")
  }
  func some(_ value: some Sendable) { log.note("some \(value)") }
  subscript<T: Equatable>(of value: T) -> Int? { log.note("of"); return values["\(value)"] }
}

final class News: Feed, @unchecked Sendable {
  let log = Log()
  func rows(from first: Int) async throws -> [String] {
    log.note("rows")
    if first < 0 { throw EditorError(code: first) }
    return ["\(first)"]
  }
  func mark(_ row: String) async { log.note("mark \(row)") }
  var newest: String? { get async { log.note("newest"); return "9" } }
}

@MainActor final class Window: Screen {
  nonisolated let log = Log()
  var name = "window"
  func draw() { log.note("draw") }
  nonisolated func invalidate(_ number: Int) { log.note("invalidate \(number)") }
}

final class Clicker: Counter, @unchecked Sendable {
  let log = Log()
  var last = 0 { didSet { log.note("last \(last)") } }
  private let box = Box(0)
  var total: Int {
    get { box.number }
    set { log.note("total"); box.number = newValue }
  }
  func count(_ number: Int) { log.note("count \(number)"); last = number }
}

final class Door: LastCloser, Kind, Outer.Inner {
  let log = Log()
  func renamed(_ name: String) { log.note("renamed \(name)") }
  func closed() { log.note("closed") }
  func closedAll() { log.note("closedAll") }
  func used() { log.note("used") }
  func inner() { log.note("inner") }
}
