import CRecorder
import IncidentModel
import Testing

/// Crumbs that C code writes value by value.
struct CrumbBuilderTests {
  private let scratch: Scratch
  private let log: OpaquePointer

  init() throws {
    scratch = try Scratch()
    log = try scratch.openLog()
  }

  private func written(_ fill: (inout ms_crumb_builder) -> Void) throws -> Crumb {
    "network".withCString { category in
      "connected".withCString { message in
        var builder = ms_crumb_begin(log, MS_KIND_NOTE, 2, category, message)
        fill(&builder)
        ms_crumb_end(&builder)
      }
    }
    ms_log_close(log)
    return try #require(try scratch.incident().crumbs.last)
  }

  @Test func valuesAreReadInTheirOrder() throws {
    let crumb = try written { builder in
      ms_crumb_add_string(&builder, "host", "example.org")
      ms_crumb_add_integer(&builder, "port", -443)
      ms_crumb_add_text(&builder, "path", "/stock and more", 6)
    }
    #expect(crumb.category == "network" && crumb.message == "connected")
    #expect(crumb.level == .notice)
    #expect(crumb.data.map(\.key) == ["host", "port", "path"])
    #expect(
      crumb.data.map(\.value) == [.string("example.org"), .integer(-443), .string("/stock")])
  }

  @Test func emptyTextIsLeftOut() throws {
    let crumb = try written { builder in
      ms_crumb_add_string(&builder, "host", "")
      ms_crumb_add_integer(&builder, "port", 1)
    }
    #expect(crumb.data.map(\.key) == ["port"])
    #expect(!crumb.isDataCut)
  }

  @Test func aValueThatDoesNotFitIsCutAndOneWithoutRoomIsLeftOut() throws {
    let long = String(repeating: "x", count: Int(MS_DATA_LIMIT))
    let crumb = try written { builder in
      ms_crumb_add_string(&builder, "long", long)
      ms_crumb_add_integer(&builder, "port", 1)
    }
    #expect(crumb.data.map(\.key) == ["long"])
    guard case .string(let text)? = crumb["long"] else {
      Issue.record("no text")
      return
    }
    #expect(!text.isEmpty && text.utf8.count < long.utf8.count && long.hasPrefix(text))
    #expect(crumb.isDataCut)
  }

  @Test func queueAndStackAreThatOfTheCaller() throws {
    let frames: [UInt] = [0x1000, 0x2000]
    let crumb = try frames.withUnsafeBufferPointer { frames in
      try written { builder in
        ms_crumb_set_queue(
          &builder, ms_queue_stamp(serial: 7, label: nil, thread: 0, onMain: true))
        ms_crumb_set_stack(&builder, frames.baseAddress, 2, MS_WALK_LIMIT.rawValue)
      }
    }
    #expect(crumb.onMain == .yes)
    #expect(crumb.stack?.frames.count == 2)
    #expect(crumb.stack?.end == .limit)
  }

  @Test(arguments: [
    (MS_HOP_ARRIVAL, MS_WORD_ARRIVAL), (MS_HOP_RUN, MS_WORD_RUN), (MS_HOP_DROP, MS_WORD_DROP),
  ])
  func aHopsStepHasItsWords(_ step: ms_hop_step, _ message: String) throws {
    let thread = try #require(ms_log_enter(log, MS_KIND_HOP))
    var crumb = ms_hop_crumb(step, 9, 0)
    ms_log_append(thread, &crumb)
    ms_log_leave(thread)
    ms_log_close(log)
    let read = try #require(try scratch.incident().crumbs.last)
    #expect(read.kind == .hop && read.hop == 9 && read.level == .debug)
    #expect(read.category == MS_WORD_HOP && read.message == message)
  }

  @Test func aClosedLogTakesNothing() throws {
    _ = try written { ms_crumb_add_integer(&$0, "port", 1) }
    var builder = ms_crumb_begin(log, MS_KIND_NOTE, 0, "network", "late")
    ms_crumb_add_integer(&builder, "port", 2)
    ms_crumb_add_string(&builder, "host", "x")
    ms_crumb_end(&builder)
    #expect(builder.thread == nil)
    #expect(try scratch.incident().crumbs.count == 1)
  }
}
