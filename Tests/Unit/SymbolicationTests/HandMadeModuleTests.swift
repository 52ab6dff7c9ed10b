import IncidentModel
import ProcessTesting
import Testing

@testable import Symbolication

/// What compilers seldom or never write, in modules made by hand.
@Suite struct HandMadeModuleTests {
  private let lowAndHigh: [(UInt8, UInt8)] = [(0x11, 0x01), (0x12, 0x06)]
  private let lines: (UInt8, UInt8) = (0x10, 0x17)

  private func span(_ low: UInt64, _ length: UInt32) -> [UInt8] {
    HandMadeModule.bytes(low) + HandMadeModule.bytes(length)
  }

  private func line(_ made: HandMadeModule, at address: UInt64) throws -> Int? {
    let module = try made.write(to: TestFiles.directory() + "/made")
    var symbolicator = Symbolicator(cacheDirectory: nil)
    let frame = symbolicator.frames(at: .instruction(address), in: module).first
    #expect(frame?.line == nil || frame?.file == "made.c")
    return frame?.line
  }

  /// A unit over 0x1800 to 0x2800 whose line table has this program.
  private func module(_ program: [UInt8], lineRange: UInt8 = 14) -> HandMadeModule {
    var made = HandMadeModule()
    made.addAbbreviation(1, tag: 0x11, hasChildren: false, lowAndHigh + [lines])
    made.addUnit([1], span(0x1800, 0x1000), [0, 0, 0, 0])
    made.setLines(program, lineRange: lineRange)
    return made
  }

  @Test func aRowHoldsUpToTheNextOne() throws {
    let made = module(
      HandMadeModule.row(0x1800, advancing: 9) + HandMadeModule.row(0x1900, advancing: 5)
        + HandMadeModule.end(at: 0x2000))
    #expect(try line(made, at: 0x1800) == 10)
    #expect(try line(made, at: 0x18ff) == 10)
    #expect(try line(made, at: 0x1900) == 15)
    #expect(try line(made, at: 0x1fff) == 15)
    #expect(try line(made, at: 0x2000) == nil)
  }

  @Test func rowsAndSequencesOutOfOrderAreSorted() throws {
    let end = HandMadeModule.end(at: 0x2400)
    let made = module(
      HandMadeModule.row(0x2200, advancing: 1) + HandMadeModule.row(0x2000, advancing: 1) + end
        + HandMadeModule.row(0x1800, advancing: 9) + HandMadeModule.end(at: 0x1a00))
    #expect(try line(made, at: 0x1900) == 10)
    #expect(try line(made, at: 0x1b00) == nil, "between the sequences")
    #expect(try line(made, at: 0x2100) == 3)
    #expect(try line(made, at: 0x2300) == 2)
  }

  @Test func ofSeveralRowsAtOneAddressTheLastCounts() throws {
    let made = module(
      HandMadeModule.row(0x1800, advancing: 9) + HandMadeModule.row(0x1800, advancing: 9)
        + HandMadeModule.end(at: 0x2000))
    #expect(try line(made, at: 0x1800) == 19)
  }

  @Test func sequencesOfDroppedFunctionsAreLeftOut() throws {
    let made = module(
      HandMadeModule.row(0, advancing: 9) + HandMadeModule.end(at: 0x8000)
        + HandMadeModule.row(0x1800, advancing: 4)
        + HandMadeModule.end(at: 0x2000))
    #expect(try line(made, at: 0x1900) == 5)
    #expect(try line(made, at: 0x2100) == nil)
  }

  @Test func aTableThatDividesByZeroIsLeftOut() throws {
    let rows = HandMadeModule.row(0x1800, advancing: 9) + [0xff]
    #expect(try line(module(rows, lineRange: 0), at: 0x1800) == nil)
    // The last instruction makes a row 17 bytes on, which nothing ends.
    #expect(try line(module(rows), at: 0x1810) == 10)
    #expect(try line(module(rows), at: 0x1811) == nil)
  }

  @Test func aNameMayStandInAnotherUnitWithOtherAbbreviations() throws {
    var made = HandMadeModule()
    made.addAbbreviation(1, tag: 0x11, hasChildren: true)
    // Codes that are no places in the table.
    made.addAbbreviation(900, tag: 0x2e, hasChildren: false, [(0x03, 0x08)])
    made.abbreviations.append(0)
    let second = made.abbreviations.count
    made.addAbbreviation(7, tag: 0x2e, hasChildren: false, [(0x31, 0x10)] + lowAndHigh)
    made.addAbbreviation(3, tag: 0x11, hasChildren: true, lowAndHigh)
    made.addUnit([1], HandMadeModule.uleb(900), Array("far\0".utf8), [0])
    // The header takes 11 bytes, the first entry one.
    let origin = HandMadeModule.bytes(UInt32(12))
    made.addUnit(
      [3], span(0x1800, 0x1000), [7], origin, span(0x1800, 0x800), [0], abbreviations: second)
    let module = try made.write(to: TestFiles.directory() + "/made")
    var symbolicator = Symbolicator(cacheDirectory: nil)
    #expect(symbolicator.frames(at: .instruction(0x1fff), in: module).map(\.function) == ["far"])
    #expect(symbolicator.frames(at: .instruction(0x2000), in: module) == [])
  }
}
