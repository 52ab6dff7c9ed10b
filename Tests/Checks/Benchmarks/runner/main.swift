import Foundation

// Runs benchmark programs, prints what they found and writes it to a file:
// `bench-runner RESULTS.json WRAPPER PROGRAM…`. The wrapper readies LTTng for each program.

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

let arguments = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
guard arguments.count >= 3 else { stop("usage: bench-runner RESULTS.json WRAPPER PROGRAM…") }
let (results, wrapper) = (arguments[0], arguments[1])

let directory = results.deletingPathExtension()
try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
var found: [Result] = []
for program in arguments[2...] {
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
