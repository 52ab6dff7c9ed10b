import CrashAnalysis
import Foundation
import IncidentModel
import ProcessTesting
import Testing

@testable import ProcessReading

/// Whether the kernel leaves a core beside a program that crashes, rather than handing it to another one.
private let leavesCores: Bool = {
  guard let pattern = ProcessFiles.text("/proc/sys/kernel/core_pattern") else { return false }
  return !pattern.isEmpty && !pattern.hasPrefix("|") && !pattern.contains("/")
}()

/// A core of the program that crashes, of one run.
enum CoreSample {
  static let path: String? = {
    guard leavesCores else { return nil }
    let directory = TestFiles.directory()
    _ = try? ChildProcess.run(
      path: "/bin/sh",
      ["-c", "ulimit -c unlimited; exec '\(ChildProcess.directory)/subject' crash"], in: directory)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.first { $0.hasPrefix("core") }.map { "\(directory)/\($0)" }
  }()
}

@Suite(
  "A core dump tells what a live process would", .enabled(if: CoreSample.path != nil, "no core"))
struct CoreTests {
  private func open(
    _ path: String, executable: String? = nil, sysroot: String? = nil
  ) throws -> CoreFile {
    try CoreFile(
      path: path, name: "the core",
      options: CoreFile.Options(executable: executable, sysroot: sysroot))
  }

  private func sample() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: #require(CoreSample.path))))
  }

  private func written(_ bytes: some Sequence<UInt8>) throws -> String {
    let path = TestFiles.path("core")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test(
    "It has the signal, its address, the thread that crashed and the others, all with whole stacks")
  func crash() throws {
    let core = try open(#require(CoreSample.path))
    let picture = core.capture { _, _ in }.picture()
    let crash = try #require(core.crash(picture))
    #expect(crash.signal == SIGSEGV && crash.address == 8 && crash.sender == nil)
    #expect(core.executable == ChildProcess.directory + "/subject")
    #expect(crash.thread?.kernelID == core.id && crash.thread?.stack.end == .complete)
    #expect(crash.otherThreads.count >= 1)
    #expect(crash.otherThreads.allSatisfy { $0.stack.end == .complete })
    #expect(
      crash.registers?["rip"] == crash.thread?.stack.frames.first?.recorded
        || crash.registers?["pc"] != nil)
    #expect(core.unread.isEmpty && core.shortcomings.isEmpty)
    let own = try #require(core.memory.modules.first { $0.name == "subject" })
    #expect(!own.identity.isEmpty)
    #expect(own.text.contains(crash.thread!.stack.frames[0].recorded))
  }

  @Test("Memory that the kernel left out comes from the files; what was written is the core's")
  func memory() throws {
    let core = try open(#require(CoreSample.path))
    let own = try #require(core.memory.modules.first { $0.name == "subject" })
    let live = try Data(contentsOf: URL(fileURLWithPath: own.path))
    let code = try #require(core.memory.bytes(at: own.text.lowerBound, count: 4096))
    #expect(live.range(of: Data(code)) != nil)
    #expect(core.memory.load(UInt64.self, at: 8) == nil)
    #expect(core.memory.load(UInt64.self, at: .max) == nil)
  }

  @Test("A program that is elsewhere is found by --executable, one of another build is refused")
  func executable() throws {
    let elsewhere = TestFiles.path("elsewhere")
    try FileManager.default.copyItem(atPath: ChildProcess.directory + "/subject", toPath: elsewhere)
    let root = TestFiles.directory()
    let other = try open(#require(CoreSample.path), executable: elsewhere, sysroot: root)
    _ = other.capture { _, _ in }.picture()
    #expect(other.shortcomings.contains { $0.contains("libc.so") && $0.contains("--sysroot") })
    #expect(!other.shortcomings.contains { $0.contains("/subject is not here") })
    let wrong = try open(#require(CoreSample.path), executable: "/bin/sh", sysroot: root)
    _ = wrong.capture { _, _ in }.picture()
    #expect(
      wrong.shortcomings.contains {
        $0.hasPrefix("/bin/sh is not the build that ran; pass the file ")
      })
  }

  @Test("Files of another machine are found below --sysroot")
  func sysroot() throws {
    let root = TestFiles.directory()
    let plain = try open(#require(CoreSample.path))
    for path in Set(plain.memory.modules.map(\.path)) where path.hasPrefix("/") {
      let folder = root + path.prefix(upTo: path.lastIndex(of: "/")!)
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: root + path, withDestinationPath: path)
    }
    let core = try open(#require(CoreSample.path), sysroot: root)
    let picture = core.capture { _, _ in }.picture()
    #expect(core.shortcomings.isEmpty, "\(core.shortcomings)")
    #expect(picture.threads.allSatisfy { $0.stack.end == .complete })
  }

  @Test("A core that is cut says where, and tells what is left")
  func cut() throws {
    let bytes = try sample()
    for size in [0, 3, 40, 63, 64, 500] {
      #expect {
        try open(written(bytes.prefix(size)))
      } throws: { error in
        let text = "\(error)"
        return text.contains("at offset")
          && (size < 4 || text.contains("the file has \(size) bytes"))
      }
    }
    let core = try open(written(bytes.prefix(bytes.count / 2)))
    let picture = core.capture { _, _ in }.picture()
    #expect(core.crash(picture)?.signal == Int(SIGSEGV))
    #expect(picture.threads.count >= 2)
    #expect(core.unread.contains { $0.reason == .truncated })
    #expect(core.shortcomings.contains { $0.contains("truncated at offset \(bytes.count / 2)") })
  }

  @Test("A core of a debugger has no segments for code, and the same stacks")
  func withoutCode() throws {
    var bytes = try sample()
    let headers = try #require(bytes.load(UInt64.self, at: 32))
    let count = try #require(bytes.load(UInt16.self, at: 56))
    var removed = 0
    for place in (0..<Int(count)).map({ Int(headers) + $0 * 56 }) {
      let isCode = bytes.load(UInt32.self, at: place + 4)! & UInt32(PF_X) != 0
      guard bytes.load(UInt32.self, at: place) == UInt32(PT_LOAD), isCode,
        bytes.load(UInt64.self, at: place + 32) == 0
      else { continue }
      bytes[place] = UInt8(PT_NULL)
      removed += 1
    }
    #expect(removed > 3)
    let whole = try open(#require(CoreSample.path)).capture { _, _ in }.picture()
    let core = try open(written(bytes))
    #expect(core.capture { _, _ in }.picture().threads.map(\.stack) == whole.threads.map(\.stack))
    #expect(core.memory.modules.map(\.path).contains { $0.contains("libc.so") })
  }

  /// By SIGTRAP a debugger stops a process that then lives on; the kernel dumps one that has died of it.
  @Test("A core that a debugger wrote at a breakpoint has no crash, one of the kernel has")
  func breakpoint() throws {
    var bytes = try sample()
    let headers = try #require(bytes.load(UInt64.self, at: 32))
    let count = try #require(bytes.load(UInt16.self, at: 56))
    let notes = try #require(
      (0..<Int(count)).map { Int(headers) + $0 * 56 }
        .first { bytes.load(UInt32.self, at: $0) == UInt32(PT_NOTE) })
    var place = try Int(#require(bytes.load(UInt64.self, at: notes + 8)))
    let end = try place + Int(#require(bytes.load(UInt64.self, at: notes + 32)))
    var places: [UInt32: Range<Int>] = [:]
    while place + 12 < end {
      let name = (Int(bytes.load(UInt32.self, at: place)!) + 3) & ~3
      let size = (Int(bytes.load(UInt32.self, at: place + 4)!) + 3) & ~3
      let type = bytes.load(UInt32.self, at: place + 8)!
      places[type] = places[type] ?? place..<place + 12 + name + size
      place += 12 + name + size
    }
    let info = try #require(places[0x5349_4749])
    bytes[info.lowerBound + 20] = UInt8(SIGTRAP)
    func signal(_ bytes: [UInt8]) throws -> Int? {
      let core = try open(written(bytes))
      return core.crash(core.capture { _, _ in }.picture())?.signal
    }
    #expect(try signal(bytes) == Int(SIGTRAP))
    // A debugger describes the process first.
    let (status, process) = try (
      #require(places[UInt32(NT_PRSTATUS)]), #require(places[UInt32(NT_PRPSINFO)])
    )
    #expect(status.upperBound == process.lowerBound)
    bytes.replaceSubrange(
      status.lowerBound..<process.upperBound, with: bytes[process] + bytes[status])
    #expect(try signal(bytes) == nil)
  }

  @Test("What is no core is refused by what it is")
  func others() throws {
    let text = try written(Array("no core at all".utf8))
    #expect { try open(text) } throws: {
      "\($0)".contains("expected 7f 45 4c 46, ELF, at offset 0")
    }
    #expect { try open("/bin/sh") } throws: { "\($0)".contains("not a core dump (type 4)") }
    #expect { try open("/nowhere/core") } throws: { "\($0)".contains("cannot be opened") }
    #expect { try open("/tmp") } throws: { "\($0)".contains("is not a regular file") }
    var other = try sample()
    other[18] = 3
    #expect { try open(written(other)) } throws: { "\($0)".contains("machine 3 at offset 18") }
  }

  @Test("Bytes that somebody has changed end in an error or in a bounded picture")
  func hostile() throws {
    let bytes = try sample()
    // The headers and notes of a core are its first pages; unwind rules come from the files.
    let head = min(bytes.count, 1 << 16)
    let path = try written(bytes)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    var random = SystemRandomNumberGenerator()
    for _ in 0..<(isWholeRun ? 400 : 20) {
      var changed = Array(bytes.prefix(head))
      for _ in 0..<Int.random(in: 1...64, using: &random) {
        changed[Int.random(in: 20..<head, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      try file.seek(toOffset: 0)
      file.write(Data(changed))
      guard let core = try? open(path) else { continue }
      let symbols = ProcessSymbols(core.modules)
      let picture = core.capture { memory, threads in
        _ = TaskScan(memory, threads: threads, symbols: symbols).picture()
      }.picture()
      #expect(picture.threads.allSatisfy { $0.stack.frames.count <= 4096 })
      _ = core.crash(picture)
    }
  }
}
