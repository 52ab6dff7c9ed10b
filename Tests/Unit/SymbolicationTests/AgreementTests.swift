import Foundation
import IncidentModel
import ProcessTesting
import Testing

@testable import Symbolication

/// Whatever llvm-symbolizer says of an address we say too.
@Suite(
  .enabled(
    if: Workshop.peer != nil || Toolchain.hasWholeLibraries,
    "Debian's Swift 6.0 has no llvm-symbolizer beside it"))
struct AgreementTests {
  @Test(.long) func agreesOnOptimisedCxxInDwarf5() throws { try check(Workshop.cxxO2.get()) }
  @Test(.long) func agreesOnCxxInDwarf4() throws { try check(Workshop.cxxDwarf4.get()) }
  @Test(.long) func agreesOnSplitUnits() throws { try check(Workshop.cxxSplit.get()) }
  @Test func agreesOnSwiftDebug() throws { try check(Workshop.swiftDebug.get()) }
  @Test func agreesOnSwiftRelease() throws { try check(Workshop.swiftRelease.get()) }

  @Test func agreesOnTheseTestsThemselves() throws {
    try check(FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
  }

  @Test(arguments: ["libswiftCore.so", "libFoundation.so"])
  func agreesOnSymbolTables(library: String) throws {
    let home = try #require(Workshop.peer).home
    try check("\(home)/../lib/swift/linux/\(library)", hasDebugInfo: false)
  }

  private func check(_ path: String, hasDebugInfo: Bool = true) throws {
    let file = try #require(CodeFile(path))
    let addresses = file.addresses(6000)
    var symbolicator = Symbolicator(cacheDirectory: nil)
    let ours = symbolicator.frames(
      at: addresses.map { .instruction($0) }, in: file.module)
    let resolved = URL(fileURLWithPath: path).standardized.path
    let status = symbolicator.moduleStatus(of: file.module)
    #expect(status == (hasDebugInfo ? .debugInfo(path: path) : .symbolsOnly(path: path)))

    let peer = try #require(Workshop.peer, "llvm-symbolizer is not beside the compiler")
    let agreement = Agreement(
      addresses: addresses, ours: ours, peer: try peer.frames(at: addresses, in: resolved))
    // Nobody names what was stripped.
    let named = hasDebugInfo || Toolchain.hasWholeLibraries ? 8 : 3
    #expect(agreement.compared > addresses.count * named / 10)
    for difference in agreement.differences where !difference.isExplained {
      Issue.record("\(difference)")
    }
  }
}

extension Agreement.Difference {
  /// The differences that docs/internals/symbolication.md argues for.
  fileprivate var isExplained: Bool {
    switch kind {
    case .fileOfSymbol: true
    // A symbol without a size that llvm-symbolizer lets reach into the sections after its own.
    case .peerOnly: peer.count == 1 && peer[0].line == 0
    default: false
    }
  }
}
