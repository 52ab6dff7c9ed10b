import Foundation
import Testing

@testable import Squad

@Suite struct PictureTests {
  private func pgm(_ header: String, _ pixels: [UInt8]) -> Data { Data(header.utf8) + pixels }

  @Test func readsSizeAndBrightness() throws {
    let picture = try #require(
      Picture(pgm: pgm("P5\n# a comment\n3 2\n255\n", [0, 1, 2, 3, 4, 255])))
    #expect(picture.width == 3)
    #expect(picture.height == 2)
    #expect(picture.brightness == [0, 1, 2, 3, 4, 255])
  }

  @Test func aDarkerScaleIsStretched() throws {
    let picture = try #require(Picture(pgm: pgm("P5 2 1 15 ", [15, 7])))
    #expect(picture.brightness == [255, 119])
  }

  @Test(arguments: [
    "", "P", "P5", "P6 1 1 255 x", "P5 0 1 255 ", "P5 1 1 0 x", "P5 1 1 65535 xx", "P5 -1 1 255 x",
    "P5 99999999999999999999 1 255 x", "P5 5000 5000 255 x", "P5 2 2 255 abc", "<html>no</html>",
    "P5 # never ends",
  ])
  func whatIsNoPictureIsNone(text: String) {
    #expect(Picture(pgm: Data(text.utf8)) == nil)
  }

  @Test func aSliceOfSomethingLargerIsReadAlike() throws {
    let data = Data("xxxx".utf8) + pgm("P5 1 1 255 ", [9])
    #expect(try #require(Picture(pgm: data.dropFirst(4))).brightness == [9])
  }
}
