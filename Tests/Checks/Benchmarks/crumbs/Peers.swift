import BenchmarkHarness
import CLttng
import CPeers
import CSpdlog
import Foundation
import Synchronization

/// One reading of the clock and 64 bytes into a shared mapping of a file: the minimum of any recorder.
struct Floor: Call {
  static let bytesPerThread = 1 << 20
  nonisolated(unsafe) let region: UnsafeMutablePointer<UInt8>

  @inline(__always) func callAsFunction(_ index: Int) {
    bench_floor(region, Self.bytesPerThread - 1, index, UInt64(truncatingIfNeeded: index))
  }
}

/// Work that uses only registers. Its time depends only on the thread's share of its core.
struct Registers: Call {
  @inline(__always) func callAsFunction(_ index: Int) { bench_registers() }
}

/// A line of 100 bytes, like that of a logger.
private let line: [UInt8] = {
  let text = "2026-01-01T00:00:00.000000Z info net payment sent "
  return Array(text.utf8) + Array(repeating: UInt8(ascii: "."), count: 99 - text.utf8.count) + [10]
}()

/// write(2) of one line.
struct WriteLine: Call {
  let file: Int32

  @inline(__always) func callAsFunction(_ index: Int) {
    line.withUnsafeBytes { _ = write(file, $0.baseAddress, $0.count) }
  }
}

/// One line into stdio's buffer.
struct StdioLine: Call {
  nonisolated(unsafe) let file: UnsafeMutableRawPointer

  @inline(__always) func callAsFunction(_ index: Int) {
    line.withUnsafeBytes { bench_stdio_write(file, $0.baseAddress, $0.count) }
  }
}

/// A line of JSON through JSONEncoder and FileHandle, as many services write.
struct JSONLine: Call {
  struct Entry: Encodable {
    var time: Double
    var level: String
    var category: String
    var message: String
    var id: Int?
    var ok: Bool?
    var peer: String?
  }

  let file: FileHandle
  let encoder = JSONEncoder()
  let withValues: Bool

  func callAsFunction(_ index: Int) {
    var entry = Entry(
      time: Date().timeIntervalSince1970, level: "info", category: "net", message: "payment sent")
    if withValues {
      entry.id = index
      entry.ok = true
      entry.peer = "a"
    }
    guard var data = try? encoder.encode(entry) else { fatalError("an entry did not encode") }
    data.append(UInt8(ascii: "\n"))
    file.write(data)
  }
}

/// A ring of dictionaries behind a lock, as crash reporters keep; lost on SIGKILL.
final class LockedRing: Sendable {
  static let capacity = 1_000

  private struct State {
    var entries: [[String: String]] = []
    var next = 0
  }

  private let state = Mutex(State())

  func append(_ entry: [String: String]) {
    state.withLock { state in
      if state.entries.count < Self.capacity {
        state.entries.append(entry)
      } else {
        state.entries[state.next] = entry
        state.next = (state.next + 1) % Self.capacity
      }
    }
  }
}

/// One dictionary into the ring.
struct RingEntry: Call {
  let ring: LockedRing
  let withValues: Bool

  func callAsFunction(_ index: Int) {
    var entry = [
      "time": String(bench_monotonic()), "level": "info", "category": "net",
      "message": "payment sent",
    ]
    if withValues {
      entry["id"] = String(index)
      entry["ok"] = "true"
      entry["peer"] = "a"
    }
    ring.append(entry)
  }
}

/// One message through spdlog.
struct SpdlogMessage: Call {
  nonisolated(unsafe) let logger: UnsafeMutableRawPointer
  let withValues: Bool

  @inline(__always) func callAsFunction(_ index: Int) {
    if withValues {
      bench_spdlog_three_values(logger, Int64(index))
    } else {
      bench_spdlog_message(logger)
    }
  }
}

/// One event of LTTng-UST.
struct LttngEvent: Call {
  let withValues: Bool

  @inline(__always) func callAsFunction(_ index: Int) {
    if withValues {
      bench_lttng_three_values("payment sent", Int64(index), true, "a")
    } else {
      bench_lttng_message("checkout started")
    }
  }
}

/// libunwind's walk of a warm stack, with its cache.
struct BareBacktrace: Call {
  let frames: Int32

  func callAsFunction(_ index: Int) {
    withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: Int(frames)) {
      _ = bench_unw_backtrace($0.baseAddress, frames)
    }
  }
}
