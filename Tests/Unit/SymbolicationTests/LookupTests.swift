import Foundation
import IncidentModel
import ProcessTesting
import Testing

@testable import Symbolication

@Suite struct LookupTests {
  private let file: CodeFile
  private var symbolicator = Symbolicator(cacheDirectory: nil)

  init() throws { file = try #require(CodeFile(Workshop.small.get())) }

  /// The address after each call instruction of the program, from a disassembly.
  private func returnAddresses(after target: String) throws -> [UInt64] {
    let lines = try Workshop.run("objdump", ["-d", file.module.path]).split(separator: "\n")
    let addresses = lines.map { line in
      line.split(separator: ":").first.flatMap {
        UInt64($0.drop { $0 == " " }, radix: 16)
      }
    }
    return lines.indices.dropLast().compactMap { index in
      isCall(lines[index]) && lines[index].contains("<\(target)>") ? addresses[index + 1] : nil
    }
  }

  private func isCall(_ line: Substring) -> Bool {
    line.contains("call") || line.contains("\tbl\t")
  }

  @Test mutating func aReturnAddressIsTheCallBeforeIt() throws {
    let calls = try returnAddresses(after: "leaf")
    #expect(!calls.isEmpty)
    for call in calls {
      let frames = symbolicator.frames(at: .returnAddress(call), in: file.module)
      #expect(frames.last?.function == "caller")
      #expect(frames == symbolicator.frames(at: .instruction(call - 1), in: file.module))
      let line = try #require(frames.first?.line)
      #expect([9, 10].contains(line), "the two lines that call leaf")
    }
  }

  /// The first instructions of such a function have the line of the whole function in an optimized build.
  @Test(arguments: [Workshop.swiftDebug, Workshop.swiftRelease])
  mutating func anAsyncCallerIsAtItsAwait(program: Result<String, any Error>) throws {
    let file = try #require(CodeFile(program.get()))
    let source = Workshop.swiftSource.split(separator: "\n", omittingEmptySubsequences: false)
    let awaits = source.indices.filter { line in
      ["Task.yield()", "later(n - 1)", "withCheckedContinuation"].contains {
        source[line].contains("await \($0)")
      }
    }
    let partial = #/ (?<address>[0-9a-f]{8,}) .* \$s\S*(5later|5empty)\S*FTQ\d+_/#
    let resumptions = try Workshop.run("nm", [file.module.path]).split(separator: "\n").compactMap {
      " \($0)".firstMatch(of: partial).flatMap { UInt64($0.output.address, radix: 16) }
    }
    let lines = resumptions.compactMap {
      symbolicator.frames(at: .asyncCaller($0), in: file.module).first?.line
    }
    #expect(Set(lines) == Set(awaits.map { $0 + 1 }))
  }

  @Test mutating func theLoadBiasIsSubtracted() throws {
    let bias: UInt64 = 0x7f12_3456_7000
    var moved = file.module
    moved.loadBias = bias
    for address in file.addresses(500) {
      #expect(
        symbolicator.frames(at: .instruction(address + bias), in: moved)
          == symbolicator.frames(at: .instruction(address), in: file.module))
    }
  }

  @Test mutating func marksOfCodeAndDataNameNoFunction() throws {
    let marked = try #require(CodeFile(Workshop.marked.get()))
    let begin = try #require(
      Workshop.run("readelf", ["-sW", marked.module.path]).split(separator: "\n")
        .first { $0.hasSuffix(" work") }
        .flatMap { UInt64($0.split(separator: " ")[1], radix: 16) })
    let functions = (0..<6).map { place in
      symbolicator.frames(at: .instruction(begin + 4 * UInt64(place)), in: marked.module)
        .map(\.function)
    }
    #expect(functions == [["work"], ["work"], ["work"], ["bare"], ["bare"], ["bare"]])
  }

  /// A log can claim that one file was loaded at ever so many places.
  @Test mutating func aFileIsReadOnceWhereverItWasLoaded() throws {
    let copy = try Workshop.copy(
      file.module.path, to: TestFiles.directory() + "/copy")
    var module = file.module
    module.path = copy
    let address = try #require(
      file.addresses(10).first { address in
        !symbolicator.frames(at: .instruction(address), in: module).isEmpty
      })
    let frames = symbolicator.frames(at: .instruction(address), in: module)
    try FileManager.default.removeItem(atPath: copy)
    module.loadBias = 0x1000
    #expect(symbolicator.frames(at: .instruction(address + 0x1000), in: module) == frames)
  }

  @Test mutating func addressesOutsideKnowNothing() {
    var module = file.module
    for address in [0, 1, module.text.upperBound, module.text.upperBound << 20, .max] {
      #expect(symbolicator.frames(at: .instruction(address), in: module) == [])
      #expect(symbolicator.frames(at: .returnAddress(0), in: module) == [])
    }
    module.loadBias = .max
    #expect(symbolicator.frames(at: .instruction(5), in: module) == [])
  }
}
