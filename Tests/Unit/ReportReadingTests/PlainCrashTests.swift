import CrashAnalysis
import IncidentModel
import ReportTrials
import Testing

@testable import ReportReading

/// Deaths that have nothing to do with threads, in the worlds of other languages and systems: what is said, and where.
@Suite struct PlainCrashTests {
  private func findings(_ file: String) throws -> [Finding] {
    let trial = try #require(ReportTrial.all.first { $0.file == file })
    return ReportReading(path: trial.path).entries.map(\.finding)
  }

  @Test(arguments: [
    ("plain-go-nil.txt", "nil pointer dereference", "plan.go", 88),
    ("plain-go-map.txt", "assignment to entry in nil map", "ledger.go", 31),
    ("plain-rust-backtrace.txt", "index out of bounds: the len is 3", "oven.rs", 41),
    ("plain-rust-syslog.txt", "called `Result::unwrap()`", "config.rs", 17),
    ("plain-python-key.txt", "KeyError", "views.py", 62),
    ("plain-python-chain.txt", "bad height in line 7", "load.py", 34),
    ("plain-dotnet-docker.txt", "Index was out of range", "Feed.cs", 52),
    ("plain-dotnet-event.txt", "Object reference not set", "TidePanel.cs", 88),
    ("plain-dotnet-serilog.txt", "The input string '4,2'", "Tides.cs", 33),
    ("plain-production-rust.txt", "the oven is empty", "oven.rs", 41),
    ("plain-production-go.txt", "assignment to entry in nil map", "ledger.go", 31),
    ("plain-production-python.txt", "ValueError", "load.py", 31),
    ("plain-production-dotnet.txt", "The input string '4,2'", "Tides.cs", 33),
    ("plain-unreal.txt", "EXCEPTION_ACCESS_VIOLATION", "Crane.cpp", 88),
    ("plain-unreal-gpu.txt", "GPU crash", "WaterPass.cpp", 133),
    ("plain-go-gopath.txt", "Index out of range", "line.go", 31),
    ("plain-go-main.txt", "assignment to entry in nil map", "main.go", 22),
    ("plain-rust-short.txt", "range end out of bounds", "frame.rs", 58),
    ("plain-rust-unwrap.txt", "called `Option::unwrap()`", "gauge.rs", 77),
    ("plain-python-read.txt", "bad level", "gauge.py", 44),
    ("plain-python-write.txt", "KeyError", "store.py", 17),
    ("plain-windbg-analyze.txt", "EXCEPTION_ACCESS_VIOLATION", "mesh_upload.cpp", 129),
    ("plain-node-uncaught.txt", "no level", "gauges.js", 41),
    ("plain-node-electron.txt", "connect ECONNREFUSED", "db.js", 27),
    ("plain-flutter-widget.txt", "Null check operator used on a null value", "tile.dart", 33),
    ("plain-flutter-unhandled.txt", "Unexpected character", "gauge.dart", 21),
    ("plain-qt-assert.txt", "index >= 0", "board.cpp", 42),
    ("plain-android-network-main.txt", "The network was called on the main thread", "Api.kt", 31),
    ("plain-killed-locked-file.crash", "0xdead10cc", "Ledger.swift", 77),
  ])
  func aCrashIsToldWithItsLine(file: String, said: String, source: String, line: Int) throws {
    let found = try findings(file)
    #expect(found.count == 1)
    let finding = try #require(found.first)
    #expect(finding.rule == "crash-cause" && finding.title.contains(said))
    #expect(finding.culprit?.file?.hasSuffix(source) == true && finding.culprit?.line == line)
  }

  @Test(arguments: [
    ("plain-tombstone.txt", "null pointer dereference", "mixer::Bus::pull(float*, int)"),
    ("plain-kernel-oops.txt", "kernel NULL pointer dereference", "sluice_read"),
    ("plain-exclusivity.txt", "Two overlapping accesses to one variable", "Clock.remaining.getter"),
    (
      "plain-exclusivity-log.txt", "Two overlapping accesses to one variable",
      "Clock.remaining.getter"
    ),
  ])
  func aCrashWithoutSourcesIsToldWithItsFunction(file: String, said: String, function: String)
    throws
  {
    let finding = try #require(try findings(file).first)
    #expect(finding.title.contains(said))
    #expect(finding.culprit?.function == function)
  }

  @Test(arguments: [
    ("plain-tombstone-logcat.txt", "Failed to set damage region"),
    ("plain-kernel-oom.txt", "the kernel killed “tided”, process 4242, which held 7168 MB"),
    ("plain-node-heap.txt", "JavaScript heap out of memory"),
    ("plain-electron-heap.txt", "V8 javascript OOM"),
    ("plain-qt-no-plugin.txt", "no Qt platform plugin could be initialized"),
    ("plain-jetsam.ips", "the system ended “Tide”, which held 2048 MB, for per-process-limit"),
    ("plain-killed-too-hot.crash", "the device was too hot"),
  ])
  func aCrashWithoutOwnCodeAccusesNobody(file: String, said: String) throws {
    let found = try findings(file)
    #expect(found.count == 1)
    #expect(found.first?.title.contains(said) == true && found.first?.culprit == nil)
  }

  @Test func bytesThatAreNotUTF8AreThoseOfWindows1252() throws {
    #expect(Windows1252.decoded(Array("déjà".utf8)) == nil)
    // A stray byte does not change what is UTF-8 beside it.
    let mixed = Array("é ".utf8) + [0xe9, 0x80]
    #expect(Windows1252.decoded(mixed).map { String(decoding: $0, as: UTF8.self) } == "é é€")
    let finding = try #require(try findings("winforms-windows-1252.txt").first)
    #expect(finding.culprit?.line == 41)
  }
}
