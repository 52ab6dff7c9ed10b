import CSymbols
import Foundation
import IncidentModel
import ProcessTesting
import Testing

@testable import Symbolication

/// A module is untrusted: whatever is mangled in it, reading ends soon and nothing breaks.
@Suite struct HostileModuleTests {
  @Test(.long, arguments: ["small", "split"])
  func mutationsAreSurvived(kind: String) throws {
    let path = try kind == "small" ? Workshop.small.get() : Workshop.cxxSplit.get()
    let file = try #require(CodeFile(path))
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    let addresses = file.addresses(50).map { FrameAddress.instruction($0) }
    let mutant = TestFiles.directory() + "/mutant"
    var module = file.module
    module.path = mutant
    var random = SystemRandomNumberGenerator()
    var read = 0
    for _ in 0..<(kind == "small" ? 2000 : 40) {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        // Half of the mutations go where the tables are: the file's second half.
        let from = Bool.random(using: &random) ? bytes.count / 2 : 0
        bytes[Int.random(in: from..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      if Int.random(in: 0..<20, using: &random) == 0 {
        bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))
      }
      try bytes.write(to: URL(fileURLWithPath: mutant))
      var symbolicator = Symbolicator(cacheDirectory: nil)
      if !symbolicator.frames(at: addresses, in: module).allSatisfy(\.isEmpty) { read += 1 }
    }
    #expect(read > 0, "some mutants are still read: else nothing was tested")
  }

  private func frames(_ made: HandMadeModule) throws -> (ModuleStatus, [SourceFrame]) {
    let module = try made.write(to: TestFiles.directory() + "/made")
    var symbolicator = Symbolicator(cacheDirectory: nil)
    return (
      symbolicator.moduleStatus(of: module),
      symbolicator.frames(at: .instruction(0x2000), in: module)
    )
  }

  /// Low 0x1800, length 0x1000.
  private let span = HandMadeModule.bytes(UInt64(0x1800)) + HandMadeModule.bytes(UInt32(0x1000))
  private let name: (UInt8, UInt8) = (0x03, 0x08)
  private let lowAndHigh: [(UInt8, UInt8)] = [(0x11, 0x01), (0x12, 0x06)]
  private let origin: (UInt8, UInt8) = (0x31, 0x13)

  @Test func aHandMadeModuleIsRead() throws {
    var made = HandMadeModule()
    made.addAbbreviation(1, tag: 0x11, hasChildren: true, lowAndHigh)
    made.addAbbreviation(2, tag: 0x2e, hasChildren: false, [name] + lowAndHigh)
    made.addUnit([1], span, [2], Array("made\0".utf8), span, [0])
    let (status, frames) = try frames(made)
    #expect(status.description.hasPrefix("debug information"))
    #expect(frames == [SourceFrame(function: "made", mangledName: "made")])
  }

  @Test(.long, .timeLimit(.minutes(5))) func unitsThatRepeatTheSameWorkAreCutShort() throws {
    var made = HandMadeModule()
    var starts: [Int] = []
    for code in 1...UInt64(100_000) {
      starts.append(made.abbreviations.count)
      made.addAbbreviation(code, tag: 0x11, hasChildren: false)
    }
    // Each unit has the abbreviations from another one on.
    for unit in 0..<20_000 { made.addUnit([1], abbreviations: starts[unit]) }
    #expect(try frames(made).0 == .unreadable(reason: "the symbols of the file exceed the limits"))
  }

  @Test(.timeLimit(.minutes(5))) func rangesThatAreSharedByAllAreCutShort() throws {
    var made = HandMadeModule()
    made.addAbbreviation(1, tag: 0x11, hasChildren: true, lowAndHigh)
    made.addAbbreviation(2, tag: 0x2e, hasChildren: false, [(0x55, 0x17)])
    for low in 0..<UInt64(20_000) {
      made.ranges += HandMadeModule.bytes(low) + HandMadeModule.bytes(low + 1)
    }
    made.ranges += [UInt8](repeating: 0, count: 16)
    made.addUnit([1], span, (0..<20_000).flatMap { _ in [UInt8(2), 0, 0, 0, 0] }, [0])
    #expect(try frames(made).0 == .unreadable(reason: "the symbols of the file exceed the limits"))
  }

  @Test(.timeLimit(.minutes(5))) func deepNestingIsWalked() throws {
    var made = HandMadeModule()
    made.addAbbreviation(1, tag: 0x11, hasChildren: true, lowAndHigh)
    made.addAbbreviation(2, tag: 0x0b, hasChildren: true)
    made.addAbbreviation(3, tag: 0x2e, hasChildren: false, [name] + lowAndHigh)
    let blocks = [UInt8](repeating: 2, count: 1_000_000)
    let ends = [UInt8](repeating: 0, count: 1_000_001)
    made.addUnit([1], span, blocks, [3], Array("deep\0".utf8), span, ends)
    #expect(try frames(made).1.map(\.function) == ["deep"])
  }

  @Test func chainsThatGoRoundEnd() throws {
    var made = HandMadeModule()
    made.addAbbreviation(1, tag: 0x11, hasChildren: true, lowAndHigh)
    made.addAbbreviation(2, tag: 0x2e, hasChildren: false, [origin] + lowAndHigh)
    let own = UInt32(11 + 13)
    made.addUnit([1], span, [2], HandMadeModule.bytes(own), span, [0])
    #expect(try frames(made).1.map(\.function) == ["??"])
  }
}
