import IncidentModel
import ReportTrials
import Testing

@testable import ReportReading

/// The colon of a Windows drive is part of the path in every reader.
@Suite struct SourcePositionTests {
  @Test(arguments: [
    ("src/oven.rs:41", "src/oven.rs", 41), ("src/oven.rs:41:21", "src/oven.rs", 41),
    (#"C:\src\oven.rs:41:21"#, #"C:\src\oven.rs"#, 41), (#"C:\oven.py:7"#, #"C:\oven.py"#, 7),
    ("res://net/link.gd:44", "res://net/link.gd", 44),
  ])
  func aPositionHasAFileAndALine(text: String, file: String, line: Int) {
    let position = SourcePosition(text)
    #expect(position?.file == file && position?.line == line)
  }

  @Test(arguments: ["src/oven.rs", "oven::heat", ":41", "C:\\oven.py", ""])
  func aTextWithoutALineIsNoPosition(text: String) {
    #expect(SourcePosition(text) == nil)
  }

  @Test func aWindowsDebuggersPositionHasAnAtSign() {
    let position = SourcePosition(windows: #"C:\src\oven.cpp @ 41"#)
    #expect(position?.file == #"C:\src\oven.cpp"# && position?.line == 41)
    #expect(SourcePosition(windows: "oven.cpp:41") == nil)
  }

  @Test(arguments: [
    (#"frame #1: 0x0000000104a1c2b8 Oven`Oven.heat() at Oven.swift:41:21 [opt]"#, "Oven.swift"),
    (#"frame #1: 0x0000000104a1c2b8 Oven`Oven.heat() at ./Oven.swift:41"#, "./Oven.swift"),
    (#"#1  0x00007ff6a1c2 in Oven.heat() at C:\src\Oven.swift:41"#, #"C:\src\Oven.swift"#),
  ])
  func aDebuggersFrameHasItsPosition(line: String, file: String) {
    let frame = DebuggerStack.Frame(line)?.frame
    #expect(frame?.symbol == "Oven.heat()" && frame?.file == file && frame?.line == 41)
  }

  @Test(arguments: [
    #"""
    thread 'main' panicked at C:\src\main.rs:12:5:
    index out of bounds: the len is 3 but the index is 5
    stack backtrace:
       0: oven::heat
                 at C:\src\main.rs:12
       1: oven::main
                 at C:\src\main.rs:41:21
    """#,
    #"""
    ==4242==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010 at pc 0x55d0
    READ of size 4 at 0x602000000010 thread T0
        #0 0x55d0aa0011a4 in heat C:\src\main.rs:12:5
        #1 0x55d0aa0011b4 in main C:\src\main.rs:41
    """#,
  ])
  func theFramesOfAWindowsProgramHaveTheirFiles(text: String) throws {
    let reading = ReportReading(bytes: Array(text.utf8), name: "a.log")
    let culprit = try #require(reading.entries.first?.finding.culprit)
    #expect(culprit.file == #"C:\src\main.rs"# && culprit.line == 12)
  }

  @Test func theThreadsOfAPythonProcessOnWindowsHaveTheirFrames() throws {
    let text = ConsoleText(
      Array(
        #"""
        Thread 4412 (idle): "MainThread"
            save (C:\quince\store.py:44)
        """#.utf8)[...], start: 0, place: 0, goesOn: false)
    let frame = try #require(PythonThreads.read(text)?.report.threads.first?.frames.first)
    #expect(frame.file == #"C:\quince\store.py"# && frame.line == 44)
  }

  @Test func theTasksOfTokioOnWindowsHaveTheirFrames() throws {
    let text = ConsoleText(
      Array(
        #"""
        TASK 0:
        ╼ oven::serve::{{closure}} at C:\oven\src\server.rs:88:5
          └╼ oven::heat::{{closure}} at C:\oven\src\heat.rs:12:5
        """#.utf8)[...], start: 0, place: 9, goesOn: false)
    let frames = try #require(TokioDump.read(text)?.report.threads.first?.frames)
    #expect(frames.map(\.symbol) == ["oven::heat", "oven::serve"])
    #expect(frames.map(\.file) == [#"C:\oven\src\heat.rs"#, #"C:\oven\src\server.rs"#])
  }
}
