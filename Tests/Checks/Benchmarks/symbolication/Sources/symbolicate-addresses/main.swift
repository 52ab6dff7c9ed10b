import Glibc
import IncidentModel
import Symbolication

// symbolicate-addresses FILE BUILD-ID CACHE|- [FIGURE]: what llvm-symbolizer does with the same input,
// with our Symbolicator: reads addresses, one a line, writes the functions, files and lines at each.
// With FIGURE it writes to that file how many milliseconds of processor time passed from the first
// look at the module to the last frame, reading and writing left out.
let arguments = CommandLine.arguments
guard arguments.count >= 4 else { exit(64) }
let digits = Array(arguments[2])
let buildID = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
  UInt8(String(digits[$0...$0 + 1]), radix: 16)
}
let module = Module(path: arguments[1], buildID: buildID, loadBias: 0, text: 0..<UInt64.max)

let addresses = readAll().split(separator: 10).map { line in
  FrameAddress.instruction(line.dropFirst(2).reduce(0) { $0 << 4 | UInt64(digit($1)) })
}

let start = processorTime()
var symbolicator = Symbolicator(cacheDirectory: arguments[3] == "-" ? nil : arguments[3])
let answers = symbolicator.frames(at: addresses, in: module)
let took = processorTime() - start

var text: [UInt8] = []
for frames in answers {
  for frame in frames {
    text.append(contentsOf: frame.function.utf8)
    text.append(10)
    text.append(contentsOf: (frame.file ?? "??").utf8)
    for number in [frame.line, frame.column] {
      text.append(UInt8(ascii: ":"))
      append(number ?? 0, to: &text)
    }
    text.append(10)
  }
  text.append(10)
  if text.count > 1 << 16 { flush(&text) }
}
flush(&text)
if arguments.count > 4, let file = fopen(arguments[4], "w") {
  fputs("\(took)\n", file)
  fclose(file)
}

func readAll() -> [UInt8] {
  var bytes: [UInt8] = []
  var room = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = read(0, &room, room.count), count > 0 { bytes += room[..<count] }
  return bytes
}

func digit(_ character: UInt8) -> UInt8 {
  character < 58 ? character - 48 : (character | 32) - 87
}

func append(_ number: Int, to text: inout [UInt8]) {
  if number > 9 { append(number / 10, to: &text) }
  text.append(UInt8(48 + number % 10))
}

func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

func flush(_ text: inout [UInt8]) {
  var rest = text[...]
  while !rest.isEmpty {
    let written = rest.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    guard written > 0 else { exit(74) }
    rest = rest.dropFirst(written)
  }
  text.removeAll(keepingCapacity: true)
}
