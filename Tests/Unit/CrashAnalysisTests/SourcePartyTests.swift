import Foundation
import IncidentModel
import ProcessTesting
import Testing

@testable import CrashAnalysis

/// The other party of a death by its source: an await or a second lock between a look and a use, who emptied a value,
/// who handed an object over without a retain.
@Suite("What the source tells beside the line that died") struct SourcePartyTests {
  /// What is found of a death at a line of this source, whose function the stack names.
  private func found(
    _ source: String, _ function: String, saying text: String, signal: Int = 4,
    address: UInt64? = nil, below callers: [String] = [], beside others: [[String]] = []
  ) throws -> Finding {
    let run = MadeUpRun(.crash(signal: signal, .certain))
    run.file = TestFiles.path("Till.swift")
    try source.write(toFile: run.file, atomically: true, encoding: .utf8)
    let threads = [run.thread(1, [function] + callers)]
    run.die(
      of: signal, address: address, saying: text,
      threads + others.enumerated().map { run.thread($0.offset + 2, $0.element) })
    return try #require(try run.finding("crash-cause"))
  }

  private func texts(_ finding: Finding) -> [String] {
    finding.evidence.map { "\($0.text) @\($0.place?.line ?? 0)" }
  }

  private static let failed = "Till.swift:5: Precondition failed: sold too many"
  private static let nothing =
    "Till.swift:5: Fatal error: Unexpectedly found nil while unwrapping an Optional value"

  private func actor(_ header: String, _ second: String) -> String {
    """
    \(header) {
      var stock: [String: Int] = [:]
      func sell(_ what: String) async {
        guard stock[what, default: 0] > 0 else { return }
        \(second)
        precondition(stock[what]! > 0, "sold too many")
        stock[what, default: 0] -= 1
      }
    }
    """
  }

  @Test("A member that was looked at before an await may have changed behind it")
  func awaited() throws {
    let finding = try found(
      actor("actor Desk", "await till.open()"), "Desk.sell(_:) at 6", saying: Self.failed)
    #expect(
      texts(finding).contains {
        $0.hasPrefix("line 4 reads “stock”, and line 5 suspends before line 6 uses it")
          && $0.hasSuffix("@5")
      }, "\(texts(finding))")
    #expect(finding.fix.text.hasPrefix("Change “stock” before the await at Till.swift:5"))
  }

  @Test(
    "An await in a closure of its own, in a struct, or of the member itself changes nothing between",
    arguments: [
      ("actor Desk", "Task { await till.open() }"), ("struct Desk", "await till.open()"),
      ("actor Desk", "till.open()"),
      ("actor Desk", "let stock = self.stock\n    await till.open()"),
    ])
  func notAwaited(header: String, second: String) throws {
    let source = actor(header, second)
    let line = source.split(separator: "\n").firstIndex { $0.contains("precondition") }! + 1
    let finding = try found(source, "Desk.sell(_:) at \(line)", saying: Self.failed)
    #expect(!texts(finding).contains { $0.contains("reads “stock”") }, "\(texts(finding))")
  }

  @Test(
    "A look that decides nothing, ends before the await, or has no writer beside it is no fix",
    arguments: [
      ("guard stock[what, default: 0] > 0 else { return }", "print(stock)"),
      (
        "guard stock[what, default: 0] > 0 else { return }",
        "if what.isEmpty {\n      if stock.isEmpty { return }\n    }"
      ),
      ("stock[what, default: 0] -= 1", "print(what)"),
    ])
  func weakLook(_ old: String, _ new: String) throws {
    let source = actor("actor Desk", "await till.open()").replacing(old, with: new)
    let line = source.split(separator: "\n").firstIndex { $0.contains("precondition") }! + 1
    let finding = try found(source, "Desk.sell(_:) at \(line)", saying: Self.failed)
    #expect(texts(finding).contains { $0.contains("reads “stock”") }, "\(texts(finding))")
    #expect(!finding.fix.text.contains("before the await"), "\(finding.fix.text)")
  }

  private func cache(_ units: String) -> String {
    """
    final class Stock: Sendable {
      private let counted = Mutex<[Int: Int]>([:])
      func drop(_ tool: Int) { counted.withLock { _ = $0.removeValue(forKey: tool) } }
      func units(_ tool: Int) -> Int {
        \(units)
      }
      private func isKnown(_ tool: Int) -> Bool { counted.withLock { $0[tool] != nil } }
      private func count(_ tool: Int) -> Int? { counted.withLock { $0[tool] } }
    }
    """
  }

  @Test("A look and a use under one lock each are two: another thread comes between")
  func twoLocks() throws {
    let finding = try found(
      cache("if !isKnown(tool) { return 0 }\n    return count(tool)!"), "Stock.units(_:) at 6",
      saying: Self.nothing)
    #expect(
      texts(finding).contains {
        $0.hasPrefix("lines 5 and 6 take the lock “counted” of Stock separately")
          && $0.hasSuffix("@5")
      }, "\(texts(finding))")
    #expect(texts(finding).contains("this line removes an entry @3"))
    #expect(finding.fix.text.hasPrefix("Check and use the value in one locked section"))
  }

  @Test("A look that takes no lock, or a use within the section, is no such gap")
  func oneLock() throws {
    for units in [
      "if tool < 0 { return 0 }\n    return count(tool)!",
      "return counted.withLock {\n      if $0[tool] == nil { return 0 }; return $0[tool]! }",
    ] {
      let finding = try found(cache(units), "Stock.units(_:) at 6", saying: Self.nothing)
      #expect(!texts(finding).contains { $0.contains("separately") }, "\(texts(finding))")
      #expect(!finding.fix.text.contains("in one locked section"))
    }
  }

  @Test("Two locks without a line that takes away are no fix, and a mere read is no look")
  func twoLocksOfReaders() throws {
    let kept = cache("if !isKnown(tool) { return 0 }\n    return count(tool)!")
      .replacing("_ = $0.removeValue(forKey: tool)", with: "$0[tool] = 1")
    let finding = try found(kept, "Stock.units(_:) at 6", saying: Self.nothing)
    #expect(texts(finding).contains { $0.contains("separately") })
    #expect(!finding.fix.text.contains("in one locked section"))
    let read = cache("let before = count(tool)\n    return count(tool)! + before!")
    let other = try found(read, "Stock.units(_:) at 6", saying: Self.nothing)
    #expect(!texts(other).contains { $0.contains("separately") }, "\(texts(other))")
  }

  private static let callback = """
    final class Printer {
      func print(_ job: Job) {
        start({ context in
          Unmanaged<Job>.fromOpaque(context!).takeUnretainedValue().finish()
        }, Unmanaged.passUnretained(job).toOpaque())
      }
    }
    """

  @Test(
    "An object behind a raw pointer is a matter of its lifetime, not a race of the callback's threads"
  )
  func lifetime() throws {
    let line = "closure #1 in Printer.print(_:) at 4"
    let finding = try found(
      Self.callback, line, saying: "", signal: 11, address: 0x5ead_0000, beside: [[line]])
    #expect(
      texts(finding).contains { $0.hasPrefix("“takeUnretainedValue” uses") && $0.hasSuffix("@5") })
    #expect(!texts(finding).contains { $0.contains("race") })
    #expect(
      finding.fix.text.hasPrefix("Let the pointer own the object: use passRetained at Till.swift:5")
    )
  }

  private static let board = """
    final class Board {
      private var surface: Surface?
      func sleep() {
        surface = nil
      }
      func plan() {
        queue.asyncAfter(deadline: .now() + 1) {
          self.draw()
        }
      }
      func draw() {
        surface!.append("line")
      }
    }
    """

  @Test(
    "A value that was nil has the line that emptied it, and the work that was planned ahead its own"
  )
  func emptied() throws {
    let finding = try found(
      Self.board, "Board.draw() at 12", saying: Self.nothing,
      below: ["closure #1 in Board.plan() at 8"])
    #expect(texts(finding).contains("“surface” is cleared here @4"))
    #expect(texts(finding).contains("the work was scheduled here with asyncAfter @7"))
    #expect(finding.fix.text.hasPrefix("Cancel the work that Till.swift:7 scheduled"))
    let direct = try found(
      Self.board, "Board.draw() at 12", saying: Self.nothing, below: ["main at 20"])
    #expect(direct.fix.text.hasPrefix("`surface` was nil: return before this line"))
    for other in ["oldsurface = nil", "other.surface = nil", "surface = nilly"] {
      let finding = try found(
        Self.board.replacing("surface = nil", with: other), "Board.draw() at 12",
        saying: Self.nothing, below: ["main at 20"])
      #expect(!texts(finding).contains { $0.contains("is cleared here") }, "\(other)")
    }
  }

  @Test("An index that was given and a removal of elements", arguments: [true, false])
  func staleIndex(isGiven: Bool) throws {
    let finding = try found(
      """
      actor Wave {
        private var lines: [Int] = []
        func confirm() async {
          let index = lines.count - 1
          await stock.take()
          book(at: index)
        }
        func book(at \(isGiven ? "index" : "place"): Int) {
          lines[index] += 1
          lines.remove(at: place)
        }
      }
      """, "Wave.book(at:) at 9", saying: "Fatal error: Index out of range")
    #expect(texts(finding).contains("an element of “lines” is removed here @10"))
    #expect(
      finding.fix.text.hasPrefix(
        "`index` was found before an element of `lines` was removed (Till.swift:10)") == isGiven,
      "\(finding.fix.text)")
  }

  @Test("A way out that leaves a descriptor open is told where none is left")
  func openFiles() throws {
    let source = { (end: String) in
      """
      func write(_ lines: Int) -> Int {
        let file = open("docket", O_WRONLY)
        guard file >= 0 else {
          fatalError("docket: \\(strerror(errno))")
        }
        \(end)
        close(file)
        return lines
      }
      """
    }
    let said = "Till.swift:4: Fatal error: docket: Too many open files"
    let leak = try found(source("if lines == 0 { return 0 }"), "write(_:) at 4", saying: said)
    #expect(texts(leak).contains("this exit path leaves “file” open @6"), "\(texts(leak))")
    for end in [
      "print(lines)", "if file < 0 { return -1 }", "handle = file\n    if lines == 0 { return 0 }",
      "if lines == 0 { return file }",
    ] {
      let whole = try found(source(end), "write(_:) at 4", saying: said)
      #expect(!texts(whole).contains { $0.contains("leaves") }, "\(end)")
      #expect(whole.title.hasPrefix("Too many files were open: "), "\(whole.title)")
      #expect(whole.fix.text.hasPrefix("Find the files or sockets that are not closed"))
    }
  }
}
