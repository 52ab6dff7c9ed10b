import LogReading
import Breadcrumbs
import CLogFormat
import Glibc
import IncidentModel
import Testing

/// Logs that no recorder wrote: made up with all sums right, or nothing like a log.
struct HostileLogTests {
  /// A closed log of one crumb, or of what `record` leaves.
  private static func log(
    _ record: (BreadcrumbRecorder) -> Void = { $0.record("the only crumb") }
  ) throws -> [UInt8] {
    var template = Array("/tmp/mainstay-log-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CancellationError() }
    let directory = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    let path = directory + "/breadcrumbs.log"
    let recorder = try BreadcrumbRecorder(path: path, capacity: 256 << 10, automatic: [])
    record(recorder)
    recorder.close()
    defer {
      unlink(path)
      rmdir(directory)
    }
    guard let file = fopen(path, "r") else { throw CancellationError() }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 256 << 10)
    guard fread(&bytes, 1, bytes.count, file) == bytes.count else { throw CancellationError() }
    return bytes
  }

  private func read(_ bytes: [UInt8]) throws -> Incident {
    try bytes.withUnsafeBytes { try LogReader(contents: $0, name: "made up").read() }
  }

  /// Changes the identity and makes its sum right again.
  private func forged(_ change: (inout ms_log_identity) -> Void) throws -> [UInt8] {
    var bytes = try Self.log()
    bytes.withUnsafeMutableBytes { bytes in
      var identity = bytes.load(as: ms_log_identity.self)
      change(&identity)
      identity.sum = ms_identity_sum(&identity)
      bytes.storeBytes(of: identity, as: ms_log_identity.self)
    }
    return bytes
  }

  @Test(arguments: [UInt64.max, UInt64.max - 4096, 1 << 63, 12345])
  func poolsAtNoPossiblePlaceAreNoTrouble(offset: UInt64) throws {
    let bytes = try forged { identity in
      withUnsafeMutableBytes(of: &identity.pools) { pools in
        for pool in pools.bindMemory(to: ms_pool_place.self).indices {
          pools.storeBytes(
            of: ms_pool_place(offset: offset, chunk_size: .max, chunk_count: .max),
            toByteOffset: pool * MemoryLayout<ms_pool_place>.size, as: ms_pool_place.self)
        }
      }
    }
    #expect(try read(bytes).crumbs.map(\.message) == ["the only crumb"])
  }

  @Test(arguments: [0, 1, .max, .max - 1, 1 << 63] as [UInt64])
  func anchorsOfNoPossibleTimeAreNoTrouble(instant: UInt64) throws {
    let bytes = try forged { identity in
      let salt = identity.salt
      func anchor(_ ticks: UInt64) -> ms_anchor {
        var anchor = ms_anchor(ticks: ticks, monotonic_ns: instant, wall_ns: instant, sum: 0)
        anchor.sum = ms_anchor_sum(&anchor, salt)
        return anchor
      }
      identity.before_open = anchor(1)
      identity.opened = anchor(.max)
    }
    #expect(try read(bytes).crumbs.count == 1)
  }

  @Test func aLogOfAnotherVersionSaysWhichItIs() throws {
    let bytes = try forged { $0.version = 7 }
    #expect { try read(bytes) } throws: { "\($0)".contains("version 7") }
  }

  @Test func aLogOfTheFirstVersionIsRead() throws {
    let bytes = try forged { $0.version = 1 }
    #expect(try read(bytes).crumbs.map(\.message) == ["the only crumb"])
  }

  @Test func aLogWithoutItsHeaderIsReadByItsChunks() throws {
    var bytes = try Self.log()
    for place in 0..<4096 { bytes[place] = 0 }
    let incident = try read(bytes)
    #expect(incident.crumbs.map(\.message) == ["the only crumb"])
    #expect(incident.process == nil)
    #expect(incident.unread.contains { $0.offset == 0 && $0.reason == .damaged })
  }

  @Test func aYoungLogWithoutItsHeaderStillTellsHowMuchTimePassed() throws {
    var bytes = try Self.log { recorder in
      recorder.record("before")
      var sum = 0
      for number in 0..<2_000_000 { sum &+= number ^ sum }
      recorder.record("after \(sum)")
    }
    let whole = try read(bytes).crumbs.map(\.monotonic)
    for place in 0..<4096 { bytes[place] = 0 }
    let left = try read(bytes).crumbs.map(\.monotonic)
    try #require(whole.count == 2 && left.count == 2)
    let ratio = Double(left[1] - left[0]) / Double(whole[1] - whole[0])
    #expect(0.9...1.1 ~= ratio, "\(ratio)")
  }

  @Test(arguments: [0, 1, 8, 4095, 4096, 8192])
  func whatIsNoLogIsSaidToBeNone(size: Int) {
    let zeros = [UInt8](repeating: 0, count: size)
    #expect { try read(zeros) } throws: { "\($0)".contains("not a breadcrumb log") }
  }

  @Test func aDirectoryOrAPipeIsNotRead() {
    #expect(throws: LogReadingError.self) { try LogReader(path: "/tmp") }
    #expect(throws: LogReadingError.self) { try LogReader(path: "/dev/null") }
    #expect(!LogReader.recognises(path: "/dev/zero"))
  }

  @Test func aHugeFileOfNothingEndsSoon() throws {
    var template = Array("/tmp/mainstay-huge-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    let path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    defer {
      close(file)
      unlink(path)
    }
    ftruncate(file, 1 << 30)
    #expect { try LogReader(path: path) } throws: { "\($0)".contains("not a breadcrumb log") }
  }

  @Test func textThatIsNoUnicodeIsShownAsSuch() throws {
    var bytes = try Self.log()
    let salt = bytes.withUnsafeBytes { $0.load(as: ms_log_identity.self).salt }
    let text = Array("the only crumb".utf8)
    let at = try #require(
      bytes.indices.dropLast(text.count).first { start in
        bytes[start] == text[0] && bytes[start..<start + text.count].elementsEqual(text)
      })
    bytes[at] = 0xff
    bytes.withUnsafeMutableBytes { bytes in
      let chunk = at / 4096 * 4096
      let header = bytes.loadUnaligned(fromByteOffset: chunk, as: ms_chunk_header.self)
      let start = at - MemoryLayout<ms_crumb_record>.size
      let head = bytes.baseAddress!.advanced(by: start).assumingMemoryBound(to: ms_record_head.self)
      head.pointee.sum = ms_record_sum(
        head, UInt32(head.pointee.words),
        ms_record_seed(salt, header.generation, UInt32(start - chunk)))
    }
    #expect(try read(bytes).crumbs.map(\.message) == ["\u{fffd}he only crumb"])
  }
}
