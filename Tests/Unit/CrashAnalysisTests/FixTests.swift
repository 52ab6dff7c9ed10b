import Foundation
import IncidentModel
import ProcessTesting
import Testing

@testable import CrashAnalysis

/// What is proposed: an edit of the source where that shows where it belongs, else a sentence alone.
/// That edits compile and work is `make check-fixes`'s to show.
struct FixTests {
  /// Source code whose line that led to the work ends with `// here`, as it is after the fix.
  private func fixed(
    _ source: String, _ culprit: String = "closure #1 in Feed.load()",
    under witness: String? = nil, touching work: String = "Board.show(_:)"
  ) throws -> String? {
    let path = TestFiles.path("Feed.swift")
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    try source.write(toFile: path, atomically: true, encoding: .utf8)
    let line = lines.firstIndex { $0.hasSuffix("// here") }.map { $0 + 1 }
    let place = CodePlace(function: culprit, module: "App", file: path, line: line)
    var frames = [
      frame(CodePlace(function: work, module: "App")), frame(place),
    ]
    if let witness {
      frames.append(frame(CodePlace(function: witness, module: "App"), .runtime))
    }
    frames.append(frame(CodePlace(function: "Download.finish()", module: "App")))
    let edits = Fixes.hop(StackReading(frames), culprit: place).edits
    return edits.isEmpty ? nil : applied(edits, to: lines)
  }

  private func frame(_ place: CodePlace, _ role: Frame.Role = .code) -> Frame {
    var frame = Frame(place: place, role: role, isInlined: false, isNamed: true)
    let name = FunctionName(place.function)
    frame.traits.isClosure = name.isClosure
    frame.traits.parent = name.parent
    frame.traits.owner = name.type
    frame.traits.soundsLikeDelegate = name.soundsLikeDelegate
    return frame
  }

  private func applied(_ edits: [Finding.Fix.Edit], to lines: [String]) -> String {
    var lines = lines
    for edit in edits.sorted(by: { $0.lines.first > $1.lines.first }) {
      lines.replaceSubrange(edit.lines.first - 1...edit.lines.last - 1, with: edit.replacement)
    }
    return lines.joined(separator: "\n")
  }

  @Test func aClosureThatIsCheckedAtItsEntryAndWaitsBecomesSendable() throws {
    let path = TestFiles.path("Till.swift")
    try "accepting.setEventHandler { serve(accept(listener, nil, nil)) }\n".write(
      toFile: path, atomically: true, encoding: .utf8)
    let place = CodePlace(
      function: "closure #2 in top-level code", module: "App", file: path, line: 1)
    let fix = Fixes.hop(StackReading([frame(place)]), culprit: place, isAtEntry: true).text
    #expect(fix.contains("make the closure @Sendable"), "\(fix)")
    #expect(fix.contains("only the work that belongs there") && fix.contains("waits"), "\(fix)")
  }

  @Test func allOfAClosureHopsAndNotOneLine() throws {
    let source = """
      import Foundation
      func load() {
        download.start { prices in
          board.clear()
          board.show(prices)  // here
          board.flash()
        }
      }
      """
    #expect(
      try fixed(source, "closure #1 in load()") == """
        import Foundation
        func load() {
          download.start { prices in
            DispatchQueue.main.async {
              board.clear()
              board.show(prices)  // here
              board.flash()
            }
          }
        }
        """)
  }

  @Test func whatTheCodeNeedsIsImported() throws {
    let source = """
      import Board
      func load() {
        download.start { prices in
          board.show(prices)  // here
        }
      }
      """
    #expect(
      try fixed(source, "closure #1 in load()")?.hasPrefix("import Dispatch\nimport Board\n")
        == true)
  }

  @Test func whatWasHeldWeaklyIsHeldWeakly() throws {
    let source = """
      final class Feed {
        func load() {
          download.start { [weak self] prices in
            self?.show(prices)  // here
          }
        }
      }
      """
    #expect(
      try fixed(source)?.contains(
        """
              DispatchQueue.main.async { [weak self] in
                self?.show(prices)  // here
              }
        """) == true)
  }

  @Test func closureOnOneLineIsTheOneThatHops() throws {
    let source = """
      final class Feed {
        func load() {
          api.get(7) { [weak self] answer in self?.show(answer) }  // here
        }
      }
      """
    #expect(
      try fixed(source)?.contains(
        """
            api.get(7) { [weak self] answer in
              DispatchQueue.main.async { [weak self] in
                self?.show(answer)
              }
            }  // here
        """) == true)
  }

  /// A method that its protocol calls is one of several, which all come in there.
  @Test func everyMethodOfADelegateHops() throws {
    let source = """
      final class Shop: StoreDelegate {
        private var rows: [String] = []
        func request(_ request: Request, didReceive rows: [String]) {
          self.rows = rows
          board.show(rows)  // here
        }
        func requestDidFinish(_ request: Request) { rows = [] }
        func close(_ door: Door) { rows = [] }
        private func log(_ request: Request) {}
      }
      """
    let fixed = try #require(
      try fixed(
        source, "Shop.request(_:didReceive:)",
        under: "protocol witness for StoreDelegate.request(_:didReceive:) in conformance Shop"))
    #expect(fixed.ranges(of: "DispatchQueue.main.async { [weak self] in").count == 2)
    #expect(fixed.contains("func close(_ door: Door) { rows = [] }"))
  }

  @Test func aStaticFunctionHasNoSelfToHold() throws {
    let source = """
      enum Feed {
        static func request(_ request: Request, didReceive rows: [String]) {
          board.show(rows)  // here
        }
      }
      """
    let fixed = try fixed(source, "static Feed.request(_:didReceive:)")
    #expect(fixed?.contains("self") == false)
  }

  @Test func asyncCodeAwaitsTheMainActorForAllItSaysToOneObject() throws {
    let source = """
      func refresh() async {
        let rows = await store.rows()
        board.show(rows)  // here
        await store.save()
        board.flash()
      }
      """
    #expect(
      try fixed(source, "refresh()") == """
        func refresh() async {
          let rows = await store.rows()
          await MainActor.run { board.show(rows) }  // here
          await store.save()
          await MainActor.run { board.flash() }
        }
        """)
  }

  /// What none of our edits would do is left to a sentence.
  @Test(arguments: [
    (
      "a value is answered",
      "  fetch { row -> Bool in\n    board.show(row)  // here\n    return true\n  }"
    ),
    ("arguments have no names", "  get {\n    board.show($0)  // here\n  }"),
    (
      "an error is thrown",
      "  fetch { row in\n    board.show(row)  // here\n    try row.check()\n  }"
    ),
    (
      "a value is wanted later",
      "  fetch { row in\n    if board.show(row) {  // here\n      return 7\n    }\n  }"
    ),
    ("braces do not match", "  fetch { row in\n    board.show(row)  // here\n"),
    (
      "two closures stand there",
      "  fetch { a in f { b in board.show(b) } }; fetch { c in board.show(c) }  // here"
    ),
  ])
  func whatCannotBeSaidForCertainIsASentence(_ why: String, body: String) throws {
    #expect(try fixed("func load() {\n\(body)\n}", "closure #1 in load()") == nil, "\(why)")
  }

  /// Asked for by name, a line may hold what looks like code and is none.
  @Test func textAndCommentsAreNoCode() throws {
    let source = """
      func load() {
        // fetch { row in
        let text = "} \\(rows.map { "{\\($0)" }) {"
        fetch { row in
          /* } /* } */ } */
          let more = \"\"\"
            } \\(row) {
            \"\"\"
          board.show(row, more)  // here
        }
      }
      """
    let fixed = try fixed(source, "closure #1 in load()")
    #expect(fixed?.contains("  fetch { row in\n    DispatchQueue.main.async {\n") == true)
  }

  /// A method of the type's own may take what its caller's methods begin with, too.
  @Test func whatIsNoneOfADelegatesMethodsDoesNotHop() throws {
    let source = """
      final class Line: SocketDelegate {
        func socket(_ socket: String, didRead rows: [String]) {
          board.show(rows)  // here
        }
        func socket(_ socket: String, failed error: Int) { board.clear() }
        func socketWillClose(_ socket: String) { board.clear() }
        func log(_ text: String) { print(text) }
        func close(_ sockets: [String]) { board.clear() }
      }
      """
    let fixed = try #require(try fixed(source, "Line.socket(_:didRead:)"))
    #expect(fixed.ranges(of: "DispatchQueue.main.async {").count == 3, "\(fixed)")
    #expect(fixed.contains("func log(_ text: String) { print(text) }"))
    #expect(fixed.contains("func close(_ sockets: [String]) { board.clear() }"))
  }

  /// What is an actor's own may not be touched in a closure that runs elsewhere.
  @Test(arguments: [
    "actor Feed {", "actor Store {}\nextension Store {", "public actor Store<Row> {",
    "distributed actor Feed {",
  ])
  func nothingOfAnActorIsSentElsewhere(_ head: String) throws {
    let source = """
      \(head)
        func refresh() async {
          rows = await store.rows()
          show(rows)  // here
        }
      }
      """
    #expect(try fixed(source, "Feed.refresh()") == nil)
  }

  /// A closure that runs elsewhere may not read a variable: the compiler refuses it.
  @Test(arguments: [
    "var rows = await store.rows()\n  board.show(rows)  // here",
    "var (rows, count) = await store.rows()\n  board.show(count)  // here",
    "var (a, rows) = await store.rows()\n  if a {\n    board.show(rows)  // here\n  }",
    "var rows = 1, count = 2\n  board.show(count)  // here",
    "for var row in await store.rows() {\n    board.show(row)  // here\n  }",
    "var count = 1\n  board.show(\"\\(count) rows\")  // here",
  ])
  func variablesOfAFunctionAreNotSentElsewhere(_ body: String) throws {
    #expect(try fixed("func refresh() async {\n  \(body)\n}", "refresh()") == nil)
    let constant = body.replacing("var ", with: "let ")
    #expect(try fixed("func refresh() async {\n  \(constant)\n}", "refresh()") != nil)
  }

  @Test(arguments: [
    "func load() {\n  var count = 0\n  fetch { row in\n    count += 1\n    board.show(row)  // here\n  }\n}",
    "func load(_ rows: inout [Int]) {\n  fetch { row in\n    board.show(rows)  // here\n  }\n}",
    "func load() {\n  fetch {\n    board.show(\"\\($0)\")  // here\n  }\n}",
  ])
  func variablesAroundAClosureAreNotSentElsewhere(_ source: String) throws {
    #expect(try fixed(source, "closure #1 in load()") == nil)
  }

  @Test func whatAClosureDeclaresGoesWithIt() throws {
    let source = """
      import Dispatch
      func load() {
        fetch { row in
          var shown = row
          shown.append(7)
          board.show(shown)  // here
        }
      }
      """
    #expect(try fixed(source, "closure #1 in load()")?.contains("main.async {") == true)
  }

  @Test func whatWasHeldWeaklyIsHeldWeaklyInAsyncCode() throws {
    let source = """
      final class Feed {
        func load() {
          Task { [weak self] in
            let rows = await store.rows()
            self?.board.show(rows)  // here
          }
        }
      }
      """
    #expect(
      try fixed(source)?.contains(
        "await MainActor.run { [weak self] in self?.board.show(rows) }  // here") == true)
  }

  @Test func whatIsBoundAgainIsNotHeldWeakly() throws {
    let body = { (guarding: String) in
      """
      final class Feed {
        func load() {
          Task { [weak self] in
            let rows = await store.rows()
            \(guarding)
            self.board.show(rows)  // here
          }
        }
      }
      """
    }
    let bound = try fixed(body("guard let self else { return }"))
    #expect(bound?.contains("    await MainActor.run { self.board.show(rows) }  // here") == true)
    #expect(try fixed(body("print(rows)")) == nil)
  }

  /// The main queue would stand still.
  @Test(arguments: [
    ("the code waits at", "lock.wait()\n    board.show(row)  // here"),
    ("the code waits at", "sleep(1)\n    board.show(row)  // here"),
    ("the code waits in Menu.ask at", "menu.ask()\n    board.show(row)  // here"),
    ("the code waits in Menu.ask at", "menu.open()\n    board.show(row)  // here"),
    ("the code never returns from", "while true {\n      board.show(row)  // here\n    }"),
    ("", "while true {\n      board.show(row)  // here\n      if row > 7 { break }\n    }"),
    ("", "other.async { lock.wait() }\n    board.show(row)  // here"),
    ("", "other.async {\n      lock.wait()\n    }\n    board.show(row)  // here"),
    ("", "board.show(row, \"lock.wait()\")  // here"),
  ])
  func nothingThatWaitsIsSentToTheMainQueue(_ why: String, _ body: String) throws {
    let source = """
      func load() {
        fetch { row in
          \(body)
        }
      }
      final class Menu {
        func open() { ask() }
        func ask() { answered.wait() }
      }
      """
    let path = TestFiles.path("Wait.swift")
    try source.write(toFile: path, atomically: true, encoding: .utf8)
    let line = source.split(separator: "\n").firstIndex { $0.hasSuffix("// here") }.map { $0 + 1 }
    let place = CodePlace(function: "closure #1 in load()", module: "App", file: path, line: line)
    let frames = [
      frame(CodePlace(function: "Board.show(_:)", module: "App")), frame(place),
      frame(CodePlace(function: "Download.finish()", module: "App")),
    ]
    let fix = Fixes.hop(StackReading(frames), culprit: place)
    let edit = fix.edits.last?.replacement.joined(separator: "\n") ?? ""
    guard !why.isEmpty else {
      #expect(fix.text.hasPrefix("Hop to the main queue"), "\(fix.text)")
      return #expect(edit.contains("main.async {\n"), "\(edit)")
    }
    #expect(fix.text.contains(why), "\(fix.text)")
    #expect(edit.trimmed == "DispatchQueue.main.async { board.show(row) }  // here", "\(edit)")
  }

  /// A call that a queue's check refused, as the caller has it, and what is said of it.
  @Test(arguments: [
    ("store.save(row)", "func save(_ row: Int) {", "async of that queue", true),
    (
      "store.save(row)\n  print(store.count)", "func save(_ row: Int) {",
      "later code needs the result",
      false
    ),
    ("store.save(row)\n  store.flush()", "func save(_ row: Int) {", "async of that queue", true),
    (
      "let all = store.save(row)", "func save(_ row: Int) -> Int {", "later code needs the result",
      false
    ),
    (
      "return store.save(row)", "func save(_ row: Int) -> Int {", "later code needs the result",
      false
    ),
    ("store.save(row)", "func save(_ done: () -> Void) {", "async of that queue", true),
    ("store.save(row)", "func save(_ row: Int) {\n    other.sync {}", "the code waits in", false),
  ])
  func whatIsNeededNextIsNotSentAway(
    _ call: String, _ head: String, _ words: String, _ isEdit: Bool
  ) throws {
    let fix = try home(.queue("store"), call: call, head: head)
    #expect(fix.text.contains(words), "\(fix.text)")
    #expect(fix.edits.isEmpty != isEdit, "\(fix)")
  }

  @Test(arguments: [
    ("store.save(row)", "func save(_ row: Int) {", "eventLoop.execute."),
    ("let all = store.save(row)", "func save(_ row: Int) -> Int {", "with submit"),
  ])
  func anEventLoopIsAskedForAnAnswer(_ call: String, _ head: String, _ words: String) throws {
    let fix = try home(.eventLoop(""), call: call, head: head)
    #expect(fix.text.contains(words) && fix.edits.isEmpty, "\(fix.text)")
  }

  @Test func nothingNonisolatedIsAwaited() throws {
    let fix = try home(
      .actor("Store"), call: "let all = store.save(row)",
      head: "nonisolated func save(_ row: Int) -> Int {")
    #expect(fix.text.contains("remove nonisolated") && fix.edits.isEmpty, "\(fix.text)")
    let other = try home(.actor("Store"), call: "store.save(row)", head: "func save(_ row: Int) {")
    #expect(!other.text.contains("nonisolated"), "\(other.text)")
  }

  private func home(_ home: Home, call: String, head: String) throws -> Finding.Fix {
    let source = """
      import Dispatch
      func load() {
        \(call)
      }
      final class Store {
        let home = Affinity.queue(queue)
        var count: Int { rows.count }
        func flush() {}
        \(head)
          home.expect("rows are saved")
        }
      }
      """
    let path = TestFiles.path("Home.swift")
    try source.write(toFile: path, atomically: true, encoding: .utf8)
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    let check = lines.firstIndex { $0.contains("home.expect") }! + 1
    let frames = [
      frame(CodePlace(function: "Store.save(_:)", module: "App", file: path, line: check)),
      frame(CodePlace(function: "load()", module: "App", file: path, line: 3)),
    ]
    return HomeFix(home, StackReading(frames)).fix
  }

  /// What a queue does for its own caller: another that follows may read what it has written.
  @Test(arguments: [
    ("queue.sync { board.flash() }  // here", true),
    ("queue.sync { board.flash() }  // here\n  finish()", true),
    ("queue.sync { board.flash() }  // here\n  print(board.rows)", false),
    ("queue.sync { balance -= 1 }  // here", false),
    ("queue.sync { board.rows = [] }  // here", false),
    ("let rows = queue.sync { board.rows() }  // here", false),
  ])
  func onlyWhatNothingNeedsIsNotWaitedFor(_ body: String, _ isEdit: Bool) throws {
    let path = TestFiles.path("Sync.swift")
    try "func load() {\n  \(body)\n}\n".write(toFile: path, atomically: true, encoding: .utf8)
    let place = CodePlace(function: "load()", module: "App", file: path, line: 2)
    let edits = Fixes.notWaiting(StackReading([frame(place)]).links)
    #expect(edits.isEmpty != isEdit, "\(edits)")
  }

  /// The result of a synchronous call is its caller's answer, also without the word `return`.
  @Test(arguments: [
    (
      "func state(of reel: String) -> String {\n  queue.sync { states[reel] ?? unknown }\n}",
      "state(of:)"
    ),
    (
      "func state(of reel: String) -> String {\n  queue.sync { board.state(reel) }\n}", "state(of:)"
    ),
    (
      "func all() {\n  show(reels.map { reel in\n    queue.sync { board.state(reel) }\n  })\n}",
      "closure #1 in all()"
    ),
    (
      "func all() async {\n  let state = await Task {\n    queue.sync { board.state(reel) }\n  }.value\n}",
      "closure #1 in all()"
    ),
    (
      "func all() async {\n  Task {\n    queue.sync { board.state(reel) }\n  }.keep(in: tasks)\n}",
      "closure #1 in all()"
    ),
    (
      "func all() -> Task<Int, Never> {\n  Task {\n    queue.sync { board.state(reel) }\n  }\n}",
      "closure #1 in all()"
    ),
    (
      "func all() async {\n  async let state = load {\n    queue.sync { board.state(reel) }\n  }\n}",
      "closure #1 in all()"
    ),
    ("func all() -> (Int, Bool) {\n  queue.sync { board.state(reel) }\n}", "all()"),
  ])
  func anAnswerIsWaitedFor(_ source: String, _ function: String) throws {
    let path = TestFiles.path("Answer.swift")
    try (source + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    let line = source.split(separator: "\n").firstIndex { $0.contains("queue.sync") }! + 1
    let place = CodePlace(function: function, module: "App", file: path, line: line)
    let edits = Fixes.notWaiting(StackReading([frame(place)]).links)
    #expect(edits.isEmpty, "\(edits)")
  }

  /// Closures and functions whose result nothing can use.
  @Test(arguments: [
    (
      "func all() {\n  queue.async {\n    queue.sync { board.flash() }\n  }\n}",
      "closure #1 in all()"
    ),
    (
      "func all() {\n  Task {\n    queue.sync { board.flash() }\n  }\n  close()\n}",
      "closure #1 in all()"
    ),
    ("func all(_ done: (Int) -> Bool) -> () {\n  queue.sync { board.flash() }\n}", "all(_:)"),
  ])
  func whatHasNoAnswerIsNotWaitedFor(_ source: String, _ function: String) throws {
    let path = TestFiles.path("Silent.swift")
    try (source + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    let line = source.split(separator: "\n").firstIndex { $0.contains("queue.sync") }! + 1
    let place = CodePlace(function: function, module: "App", file: path, line: line)
    #expect(!Fixes.notWaiting(StackReading([frame(place)]).links).isEmpty)
  }

  /// A string's interpolation is code.
  @Test func whatAStringReadsOfAnObjectIsHeld() throws {
    let source = """
      final class Feed {
        private var name = ""
        func request(_ request: Request, didReceive rows: [String]) {
          board.show("\\(name): \\(rows)")  // here
        }
      }
      """
    let fixed = try fixed(source, "Feed.request(_:didReceive:)")
    #expect(fixed?.contains("DispatchQueue.main.async { [weak self] in") == true, "\(fixed ?? "")")
  }

  /// What is imported on some platforms only is no place for what is needed on all.
  @Test(arguments: [
    ("#if canImport(Darwin)\nimport Foundation\n#endif\n", 1),
    ("#if canImport(Darwin)\n#if DEBUG\nimport Darwin\n#endif\n#else\nimport Glibc\n#endif\n", 1),
    ("// Rows.\n#if DEBUG\nimport Darwin\n#endif\nimport Board\n", 2),
    ("import Board  // and no Dispatch\n#if DEBUG\nimport Darwin\n#endif\n", 1),
  ])
  func importsStandOutsideOfConditions(_ head: String, line: Int) throws {
    let source = head + "func load() {\n  fetch { row in\n    board.show(row)  // here\n  }\n}"
    let fixed = try #require(try fixed(source, "closure #1 in load()"))
    let lines = fixed.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.firstIndex(of: "import Dispatch") == line - 1, "\(fixed)")
  }

  @Test func aWordIsReplacedAndNotTheBeginningOfOne() throws {
    let path = TestFiles.path("Hop.swift")
    let source = """
      let hop = MainHop(self, "rows", delivery: .observe)
      let other = MainHop(self, "rows", delivery: .observed)
      """
    try source.write(toFile: path, atomically: true, encoding: .utf8)
    let edit = SourceEdit.replacing(".observe", with: ".automatic", path, 1)
    #expect(edit?.replacement == ["let hop = MainHop(self, \"rows\", delivery: .automatic)"])
    #expect(SourceEdit.replacing(".observe", with: ".automatic", path, 2) == nil)
  }

  /// A log names what files it likes.
  @Test func stringsDeepInStringsAreGivenUp() throws {
    let deep = { (depth: Int) in
      "let text = " + String(repeating: "\"\\(", count: depth) + "1"
        + String(repeating: ")\"", count: depth) + "\n"
    }
    #expect(SwiftText(Array(deep(60).utf8)) != nil)
    #expect(SwiftText(Array(deep(70).utf8)) == nil)
    #expect(SwiftText(Array(String(repeating: "\"\\(", count: (4 << 20) / 3).utf8)) == nil)
  }

  @Test func aSourceIsParsedOnce() throws {
    let path = TestFiles.path("Once.swift")
    try "func load() {}\n".write(toFile: path, atomically: true, encoding: .utf8)
    let place = {
      SwiftFiles.shared.text(at: path)?.code.withUnsafeBufferPointer { $0.baseAddress }
    }
    #expect(place() != nil && place() == place())
  }

  @Test func aGetterIsReadElsewhereBecauseItCannotHop() {
    let getter = CodePlace(function: "Theme.description.getter", module: "App")
    let witness = CodePlace(
      function:
        "protocol witness for CustomStringConvertible.description.getter in conformance Theme",
      module: "App")
    let reading = StackReading([
      frame(getter), frame(witness, .runtime),
      frame(CodePlace(function: "logLine(for:)", module: "App")),
    ])
    let fix = Fixes.hop(reading, culprit: getter)
    #expect(fix.edits.isEmpty && fix.text.contains("read it in logLine(for:) on the main queue"))
    #expect(!fix.text.contains("generate-hop-shim"), "\(fix.text)")
    #expect(reading.links.first?.protocolName == "CustomStringConvertible")
  }
}
