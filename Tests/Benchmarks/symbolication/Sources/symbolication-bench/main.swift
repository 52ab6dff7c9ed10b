import Foundation
import IncidentModel
import Symbolication

// symbolication-bench [ROUNDS]: 10,000 addresses beside llvm-symbolizer, one JSON object a line.
// symbolication-bench agree FILE…: compares the answers, address by address.
guard let peer = Workshop.peer else {
  FileHandle.standardError.write(Data("no llvm-symbolizer beside the compiler\n".utf8))
  exit(1)
}
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "agree" {
  for path in arguments.dropFirst() { try agree(path) }
} else {
  let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  let rounds = arguments.first.flatMap { Int($0) } ?? 15
  try race("C++ -O2, DWARF 5", Workshop.cxxO2.get(), rounds)
  try race("Swift release", own, rounds)
}

func race(_ subject: String, _ path: String, _ rounds: Int) throws {
  guard let file = CodeFile(path) else { throw Workshop.Failure(command: path, output: "no code") }
  let addresses = file.addresses(10_000)
  let input = Workshop.directory + "/addresses"
  try addresses.map { "0x\(String($0, radix: 16))\n" }.joined().write(
    toFile: input, atomically: true, encoding: .utf8)
  let cache = Workshop.directory + "/cache"
  let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appendingPathComponent("symbolicate-addresses").path
  let buildID = file.module.buildID.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    .joined()
  let figure = Workshop.directory + "/figure"
  var races = [String: Race]()
  for _ in 0..<rounds {
    let symbolizer = peer.home + "/llvm-symbolizer"
    let options = ["--obj=\(path)", "--no-debuginfod"]
    let whole = try Race.milliseconds(symbolizer, options, input: input)
    let empty = try Race.milliseconds(symbolizer, options, input: "/dev/null")
    try? FileManager.default.removeItem(atPath: cache)
    for (run, cache) in [("uncached", "-"), ("first run", cache), ("second run", cache)] {
      let ours = try Race.milliseconds(program, [path, buildID, cache, figure], input: input)
      let inside = try String(contentsOfFile: figure, encoding: .utf8)
      races["\(run), program", default: Race()].add(ours, whole)
      races["\(run), call", default: Race()].add(Double(inside.dropLast()) ?? .nan, whole - empty)
    }
  }
  for (run, aim) in [("uncached", 1 / 1.5), ("first run", 1 / 1.5), ("second run", 0.1)] {
    for part in ["call", "program"] {
      let name = "symbolicate 10,000 addresses of \(subject), \(run), \(part)"
      print(try races["\(run), \(part)"]!.line(name: name, aim: aim))
    }
  }
}

func agree(_ path: String) throws {
  guard let file = CodeFile(path) else { return print("\(path): no code") }
  let addresses = file.addresses(20_000)
  var symbolicator = Symbolicator(cacheDirectory: nil)
  let ours = symbolicator.frames(at: addresses.map { .instruction($0) }, in: file.module)
  let agreement = Agreement(
    addresses: addresses, ours: ours, peer: try peer.frames(at: addresses, in: path))
  print("\(path): \(symbolicator.moduleStatus(of: file.module))")
  print("  \(addresses.count) addresses, \(agreement.compared) known to both")
  for kind in Agreement.Kind.allCases where agreement.count(kind) > 0 {
    print("  \(kind): \(agreement.count(kind))")
    for difference in agreement.differences.filter({ $0.kind == kind }).prefix(2) {
      print("    0x\(String(difference.address, radix: 16))")
      for frame in difference.ours { print("      ours \(frame)") }
      for frame in difference.peer { print("      peer \(frame)") }
    }
  }
}
