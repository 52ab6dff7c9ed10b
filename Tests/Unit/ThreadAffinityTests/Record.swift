import LogReading
import Foundation
import IncidentModel
import ProcessTesting
import Symbolication

/// What a process that records, run to its end, left in its log.
struct Record {
  let incident: Incident
  let child: ChildProcess

  init(_ arguments: String..., environment: [String: String] = [:]) throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("mainstay-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let log = directory.appendingPathComponent("breadcrumbs.log").path
    child = try ChildProcess.run(path: Self.program, [log] + arguments, environment)
    incident = try LogReader(path: log).read()
  }

  /// The program that records: of this build, or the one that is named, of another build. Where
  /// stacks begin depends on how it was built.
  private static let program =
    ProcessInfo.processInfo.environment["MAINSTAY_TEST_RECORDS"]
    ?? "\(ChildProcess.directory)/affinity-records"

  func crumbs(_ kind: CrumbKind) -> [Crumb] { incident.crumbs.filter { $0.kind == kind } }

  /// The functions of each frame of a crumb's stack, newest first, inlined ones joined.
  func functions(of crumb: Crumb) -> [String] {
    functions(crumb.stack?.frames ?? [], when: crumb.monotonic)
  }

  /// The functions of a stack that is a crumb's text, as `originStack` is.
  func functions(ofText text: CrumbValue?, of crumb: Crumb) -> [String] {
    guard case .string(let text)? = text else { return [] }
    let frames = text.split(separator: " ").compactMap { UInt64($0, radix: 16) }
    return functions(frames.map(FrameAddress.init(word:)), when: crumb.monotonic)
  }

  private func functions(_ frames: [FrameAddress], when monotonic: UInt64) -> [String] {
    var symbolicator = Symbolicator(cacheDirectory: nil)
    return frames.map { frame in
      guard let module = incident.module(at: frame.lookup, when: monotonic) else { return "?" }
      return symbolicator.frames(at: frame, in: module).map { plain($0.function) }
        .joined(separator: " < ")
    }
  }
}

/// The function's name, whatever the optimizer made of the function.
private func plain(_ name: String) -> String {
  name.replacing("specialized ", with: "").replacing("partial apply for ", with: "")
}

extension Crumb {
  func text(_ key: String) -> String? {
    guard case .string(let text)? = self[key] else { return nil }
    return text
  }

  func integer(_ key: String) -> Int64? {
    guard case .integer(let number)? = self[key] else { return nil }
    return number
  }

  var keys: [String] { data.map(\.key) }
}
