import Foundation
import SitesServer
import Testing

@testable import Sites

@Suite struct BitmapTests {
  private func draw(_ bytes: some Sequence<UInt8>, width: Int = 8, height: Int = 8) throws -> Bitmap
  {
    try Bitmap(drawing: Array(bytes), width: width, height: height)
  }

  @Test func anSVGIsDrawn() throws {
    let svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="4" height="8"/></svg>
      """
    #expect(try draw(svg.utf8).braille() == ["⣿⣿⠀⠀", "⣿⣿⠀⠀"])
    // As an editor may begin it.
    let framed = "\u{FEFF}<?xml version=\"1.0\"?>\n<!-- drawn -->" + svg
    #expect(try draw(framed.utf8) == draw(svg.utf8))
  }

  @Test func aPNGIsDrawnWithItsTransparency() throws {
    let bitmap = try draw(Pictures.png)
    #expect(bitmap.braille() == ["⣿⣿⠀⠀", "⣿⣿⠀⠀"])
    #expect(bitmap.pixels[3] == 255)
    #expect(bitmap.pixels[7 * 4 + 3] == 0)
  }

  @Test func aJPEGIsDrawn() throws {
    #expect(try draw(Pictures.jpeg).braille() == ["⣿⣿⠀⠀", "⣿⣿⠀⠀"])
    // White stays paper in a frame of another shape.
    #expect(
      try draw(Pictures.jpeg, width: 16, height: 8).braille() == ["⠀⠀⣿⣿⠀⠀⠀⠀", "⠀⠀⣿⣿⠀⠀⠀⠀"])
  }

  @Test func anImageOfAnotherShapeIsCentred() throws {
    let wide = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 8"><rect width="16" height="8"/></svg>
      """
    #expect(try draw(wide.utf8).braille() == ["⣤⣤⣤⣤", "⠛⠛⠛⠛"])
    #expect(try draw(Pictures.png, width: 16, height: 8).braille() == ["⠀⠀⣿⣿⠀⠀⠀⠀", "⠀⠀⣿⣿⠀⠀⠀⠀"])
  }

  @Test func shadesArePatterns() throws {
    let gray = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">
      <rect width="8" height="8" fill="#808080"/></svg>
      """
    let dots = try draw(gray.utf8).braille().joined().unicodeScalars.reduce(0) {
      $0 + ($1.value - 0x2800).nonzeroBitCount
    }
    #expect(dots == 32)
  }

  @Test func whiteOnNothingShowsAndWhiteOnWhiteDoesNot() throws {
    let white = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">
      <circle cx="4" cy="4" r="3" fill="white"/></svg>
      """
    #expect(try draw(white.utf8).braille().joined().contains { $0 != "⠀" })
    let paper = white.replacing("<circle", with: "<rect width='8' height='8' fill='white'/><circle")
    #expect(try draw(paper.utf8).braille() == ["⠀⠀⠀⠀", "⠀⠀⠀⠀"])
  }

  @Test(arguments: [
    [], Array("no image".utf8), Array("<html><body>404</body></html>".utf8), Array("<svg".utf8),
    Array(Pictures.png.prefix(40)), Array(Pictures.jpeg.prefix(60)), [0x1F, 0x8B, 0, 0],
  ])
  func whatIsNoImageIsRefusedWithAReason(bytes: [UInt8]) throws {
    let error = #expect(throws: ImageError.self) { try draw(bytes) }
    guard case .undrawable(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!reason.isEmpty)
  }

  @Test func anImageThatClaimsToBeHugeIsRefused() throws {
    // A PNG says how large it is in bytes 16 to 23, and the checksum after them is over that.
    #expect(throws: ImageError.undrawable("larger than 4096 pixels a side")) {
      try draw(Pictures.hugePNG)
    }
  }

  @Test func anSVGReadsNoFilesOfItsReader() throws {
    let thief = """
      <!DOCTYPE svg [<!ENTITY secret SYSTEM "file:///etc/hostname">]>
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
       viewBox="0 0 8 8"><image width="8" height="8" xlink:href="file:///etc/hostname"/>
       <text y="8">&secret;</text></svg>
      """
    let bitmap = try? draw(thief.utf8)
    #expect(bitmap?.pixels.allSatisfy { $0 == 0 } ?? true)
  }
}
