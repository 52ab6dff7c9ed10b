import Foundation

// Runs the benchmark programs that lie beside it, prints what they found and writes it to a file:
// `bench-runner RESULTS.json WRAPPER [NAME…]`. The wrapper readies LTTng for the programs; names
// choose among the programs.

func stop(_ message: String) -> Never {
  FileHandle.standardError.write(Data("bench: \(message)\n".utf8))
  exit(1)
}

/// The rows that one program printed.
func rows(of program: URL, through wrapper: URL, in directory: URL) throws -> [Row] {
  let process = Process()
  let output = Pipe()
  process.executableURL = wrapper
  process.arguments = [directory.path, program.path]
  process.currentDirectoryURL = directory
  process.standardOutput = output
  try process.run()
  let text = try output.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    stop("\(program.lastPathComponent) ended with \(process.terminationStatus)")
  }
  return try text.split(separator: UInt8(ascii: "\n")).map {
    try JSONDecoder().decode(Row.self, from: Data($0))
  }
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count >= 2, let own = Bundle.main.executableURL else {
  stop("usage: bench-runner RESULTS.json WRAPPER [NAME…]")
}
let results = URL(fileURLWithPath: arguments[1])
let wrapper = URL(fileURLWithPath: arguments[2])
let chosen = Set(arguments.dropFirst(2))
let programs = try FileManager.default
  .contentsOfDirectory(at: own.deletingLastPathComponent(), includingPropertiesForKeys: nil)
  .filter { $0.lastPathComponent.hasPrefix("bench-") && $0.pathExtension.isEmpty }
  .filter { $0.lastPathComponent != own.lastPathComponent }
  .filter { chosen.isEmpty || chosen.contains(String($0.lastPathComponent.dropFirst(6))) }
  .filter { (try? $0.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == false }
  .sorted { $0.path < $1.path }
guard !programs.isEmpty else { stop("no program is called \(chosen.sorted())") }

let directory = results.deletingPathExtension()
try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
var found: [Result] = []
for program in programs {
  print("\n\(program.lastPathComponent)\n")
  var table = Table()
  for row in try rows(of: program, through: wrapper, in: directory) {
    let result = Result(row)
    found.append(result)
    table.append(result)
  }
  print(table.text)
}

let encoder = JSONEncoder()
encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
try encoder.encode(found).write(to: results)
let judged = found.compactMap(\.met)
print("aims met: \(judged.filter { $0 }.count) of \(judged.count); all figures: \(results.path)")
