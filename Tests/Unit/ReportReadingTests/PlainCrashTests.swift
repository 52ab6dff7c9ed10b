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
