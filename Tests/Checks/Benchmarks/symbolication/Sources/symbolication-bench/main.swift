import Foundation
import IncidentModel
import Symbolication

// symbolication-bench [ROUNDS [FILE…]]: 10,000 addresses, compared with llvm-symbolizer; one JSON object per line.
// symbolication-bench agree FILE…: compares the answers, address by address.
guard let peer = Workshop.peer else {
  FileHandle.standardError.write(Data("no llvm-symbolizer beside the compiler\n".utf8))
  exit(1)
}
let environment = ProcessInfo.processInfo.environment
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "agree" {
  for path in arguments.dropFirst() { try agree(path) }
} else {
  let rounds = (arguments.first ?? environment["BENCH_ROUNDS"]).flatMap { Int($0) } ?? 15
  let files = arguments.dropFirst().map { (($0 as NSString).lastPathComponent, $0) }
  for (name, path) in try files.isEmpty ? subjects() : files { try race(name, path, rounds) }
}

/// The programs that are symbolicated, small and large. `scripts/bench` builds `crashscan`, which has 4 MB of debug
/// information, and passes its path; without the path that row is omitted.
func subjects() throws -> [(String, String)] {
  let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  let programs = [("C++ -O2, DWARF 5", try Workshop.cxxO2.get()), ("Swift release", own)]
  return programs + (environment["BENCH_CRASHSCAN"].map { [("crashscan, release", $0)] } ?? [])
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
    let whole = try Race.milliseconds(
      symbolizer, ["--obj=\(path)", "--no-debuginfod"], input: input)
    // Without a file: llvm-symbolizer reads the file before the first address, and our call includes that time.
    let start = try Race.milliseconds(symbolizer, ["--no-debuginfod"], input: "/dev/null")
    try? FileManager.default.removeItem(atPath: cache)
    for (run, cache) in [("uncached", "-"), ("first run", cache), ("second run", cache)] {
      let ours = try Race.milliseconds(program, [path, buildID, cache, figure], input: input)
      let inside = try String(contentsOfFile: figure, encoding: .utf8)
      races["\(run), program", default: Race()].add(ours, whole)
      races["\(run), call", default: Race()].add(Double(inside.dropLast()) ?? .nan, whole - start)
    }
  }
  for (run, part, aim) in [
    ("uncached", "call", 1 / 1.5), ("first run", "call", 1 / 1.5), ("second run", "call", 0.1),
    // The cache saves neither the start of the process nor the output.
    ("uncached", "program", 1 / 1.5), ("first run", "program", 1 / 1.5),
    ("second run", "program", nil),
  ] {
    let name = "10,000 addresses of \(subject): \(run), \(part)"
    print(try races["\(run), \(part)"]!.line(name: name, aim: aim))
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
