import CDwarf
import Foundation
import IncidentModel
import Testing

@testable import Symbolication

/// A module is untrusted: whatever is mangled in it, reading ends soon and nothing breaks.
@Suite struct HostileModuleTests {
  @Test(arguments: ["small", "split"])
  func mutationsAreSurvived(kind: String) throws {
    let path = try kind == "small" ? Workshop.small.get() : Workshop.cxxSplit.get()
    let file = try #require(CodeFile(path))
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    let addresses = file.addresses(50).map { FrameAddress.instruction($0) }
    let mutant = try Workshop.makeDirectory() + "/mutant"
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
}
