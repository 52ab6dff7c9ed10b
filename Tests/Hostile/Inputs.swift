import Glibc
import HostileLogs

/// The inputs of a run: each is the same for the same number and the same logs to begin with.
struct Inputs {
  /// A file with what was made, and what crashscan is to make of it.
  struct Input {
    var files: [String]
    var forms: [Form]
    /// How many bytes crashscan has to do with, unpacked.
    var size: Int
    /// Which of the kinds below it is.
    var kind: String
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

  /// Of ten inputs eight are logs as they are, one a packed log, and one a summary.
  func make(_ number: Int) -> Input {
    var random = SplitMix(state: UInt64(number) &* 0x2545_f491_4f6c_dd1d)
    switch number % 10 {
    case 8: return packed(&random)
    case 9: return part(&random)
    default:
      let bytes = log(&random)
      let path = directory + "/mutated.log"
      Files.write(bytes, to: path)
      return Input(
        files: [path], forms: Form.ofAnyLog + Form.ofPlainLog, size: bytes.count, kind: "logs")
    }
  }

  private func log(_ random: inout SplitMix) -> [UInt8] {
    logs.randomElement(using: &random)!.mutated(
      with: logs.randomElement(using: &random)!, &random)
  }

  /// A log that was tampered with before it was packed, or after that.
  private func packed(_ random: inout SplitMix) -> Input {
    let bytes = log(&random)
    let plain = directory + "/packed.log"
    Files.write(bytes, to: plain)
    let (tool, ending) = [("gzip", "gz"), ("zstd", "zst")].randomElement(using: &random)!
    let path = "\(plain).\(ending)"
    let packer = Trial(program: tool, scratch: directory)
    guard packer.run(["-1", "-c", plain]).status == 0 else { fail("\(tool) fails") }
    rename(packer.output, path)
    if Bool.random(using: &random) {
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
    return Input(files: [path], forms: Form.ofAnyLog, size: bytes.count, kind: "packed logs")
  }

  /// A summary that was tampered with, beside one that was not.
  private func part(_ random: inout SplitMix) -> Input {
    let other = Int.random(in: parts.indices, using: &random)
    let bytes = PartMutation.mutated(
      parts.randomElement(using: &random)!, with: parts[other], &random)
    let path = directory + "/mutated.json"
    Files.write(bytes, to: path)
    return Input(
      files: [path, partFiles[other]], forms: Form.ofParts,
      size: bytes.count + parts[other].count, kind: "summaries")
  }
}
