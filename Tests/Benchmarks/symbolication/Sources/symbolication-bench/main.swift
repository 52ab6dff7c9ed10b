import Foundation
import IncidentModel
import Symbolication

// symbolication-bench agree FILE…: compares with llvm-symbolizer, address by address.
let arguments = Array(CommandLine.arguments.dropFirst())
guard let peer = Peer() else { fatalError("no llvm-symbolizer beside the compiler") }
for path in arguments.dropFirst() {
  guard let file = CodeFile(path) else { print("\(path): no code"); continue }
  let addresses = file.addresses(20_000)
  var symbolicator = Symbolicator(cacheDirectory: nil)
  let clock = ContinuousClock()
  var ours: [[SourceFrame]] = []
  let took = clock.measure {
    ours = symbolicator.frames(at: addresses.map { .instruction($0) }, in: file.module)
  }
  var theirs: [[Peer.Frame]] = []
  let peerTook = try clock.measure { theirs = try peer.frames(at: addresses, in: path) }
  let agreement = Agreement(addresses: addresses, ours: ours, peer: theirs)
  print(path, symbolicator.moduleStatus(of: file.module), addresses.count, "compared", agreement.compared, took, peerTook)
  for kind in Agreement.Kind.allCases where agreement.count(kind) > 0 {
    print("  \(kind): \(agreement.count(kind))")
    for difference in agreement.differences.filter({ $0.kind == kind }).prefix(3) {
      print("    0x\(String(difference.address, radix: 16))")
      for frame in difference.ours { print("      ours", frame.function, frame.file, frame.line, frame.column) }
      for frame in difference.peer { print("      peer", frame.function, frame.file, frame.line, frame.column) }
    }
  }
}
