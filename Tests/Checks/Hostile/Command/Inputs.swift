import Glibc
import HostileLogs

/// The inputs of a run: each is the same for the same number and the same logs to begin with.
struct Inputs {
  /// A file with what was made, and what crashscan is to make of it.
  struct Input {
    var number: Int
    var files: [String]
    var forms: [Form]
    /// How many bytes crashscan has to do with, unpacked.
    var size: Int
  }

  private let logs: [LogImage]
  private let parts: [[UInt8]]
  private let partFiles: [String]
  private let directory: String

  init(logs: [String], parts: [String], directory: String) {
    self.logs = logs.map { LogImage(Files.read($0)) }
    self.parts = parts.map { Files.read($0) }
    partFiles = parts
    self.directory = directory
  }

  private func generator(_ number: Int) -> SplitMix {
    SplitMix(state: UInt64(number) &* 0x2545_f491_4f6c_dd1d)
  }

  /// The log of this number.
  func log(_ number: Int) -> Input {
    var random = generator(number)
    let path = directory + "/mutated.log"
    let size = writeLog(path, &random)
    return Input(number: number, files: [path], forms: Form.ofPlainLog, size: size)
  }

  /// The log of this number packed, and perhaps tampered with again after that.
  func packed(_ number: Int) -> Input {
    var random = generator(number)
    let plain = directory + "/packed.log"
    let size = writeLog(plain, &random)
    let (tool, ending) = [("gzip", "gz"), ("zstd", "zst")].randomElement(using: &random)!
    let path = "\(plain).\(ending)"
    let packer = Trial(program: tool, scratch: directory)
    guard packer.run(["-1", "-c", plain]).status == 0 else { fail("\(tool) fails") }
    rename(packer.output, path)
    if Bool.random(using: &random) { damage(path, &random) }
    return Input(number: number, files: [path], forms: Form.ofAnyLog, size: size)
  }

  private func writeLog(_ path: String, _ random: inout SplitMix) -> Int {
    // Small logs come up more often: they take less time, and are mutated where something stands alike.
    let pair = [logs.randomElement(using: &random)!, logs.randomElement(using: &random)!]
    let log = pair.min { $0.bytes.count < $1.bytes.count }!
    let bytes = log.mutated(with: logs.randomElement(using: &random)!, &random)
    Files.write(bytes, to: path)
    return bytes.count
  }

  private func damage(_ path: String, _ random: inout SplitMix) {
    var bytes = Files.read(path)
    for _ in 0..<3 {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
        1 << UInt8.random(in: 0..<8, using: &random)
    }
    if Bool.random(using: &random) {
      bytes.removeSubrange(Int.random(in: 0..<bytes.count, using: &random)...)
    }
    Files.write(bytes, to: path)
  }

  /// The summary of this number, beside one that was not tampered with.
  func part(_ number: Int) -> Input {
    var random = generator(number)
    let other = Int.random(in: parts.indices, using: &random)
    let bytes = PartMutation.mutated(
      parts.randomElement(using: &random)!, with: parts[other], &random)
    let path = directory + "/mutated.json"
    Files.write(bytes, to: path)
    return Input(
      number: number, files: [path, partFiles[other]], forms: Form.ofParts,
      size: bytes.count + parts[other].count)
  }
}
