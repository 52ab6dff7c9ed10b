// A daemon on Dispatch alone: it counts the lines that clients send to a socket, until SIGTERM.

import Dispatch
import Glibc
import Mainstay

/// The lines of each client. `@unchecked Sendable`: it belongs to `queue`, which `add` checks.
final class Counts: @unchecked Sendable {
  let queue = DispatchQueue(label: "com.example.counts")
  private lazy var affinity = Affinity.queue(queue)
  private var lines: [Int32: Int] = [:]

  func add(_ count: Int, of client: Int32) -> Int {
    affinity.expect("the counts change")
    lines[client, default: 0] += count
    return lines[client, default: 0]
  }

  func forget(_ client: Int32) {
    affinity.expect("the counts change")
    lines[client] = nil
  }
}

let words = CommandLine.arguments
let recorder = Mainstay.start(path: words.count > 1 ? words[1] : "breadcrumbs.log").recorder
let counts = Counts()
let watch = HangWatch(queue: counts.queue)  // says if the counts do not answer

func serve(_ client: Int32) {
  let source = DispatchSource.makeReadSource(
    fileDescriptor: client, queue: words.contains("--bug") ? .global() : counts.queue)
  source.setEventHandler {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let length = read(client, &bytes, bytes.count)
    guard length > 0 else { return source.cancel() }
    let total = counts.add(bytes[..<length].count { $0 == UInt8(ascii: "\n") }, of: client)
    recorder.record("lines", category: "client", data: ["total": .integer(total)])
    let answer = "\(total)\n"
    write(client, answer, answer.utf8.count)
  }
  source.setCancelHandler {
    // The next client may have the same descriptor.
    counts.queue.async {
      counts.forget(client)
      close(client)
    }
  }
  source.resume()
}

let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
var address = sockaddr_in()
address.sin_family = sa_family_t(AF_INET)
address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
var size = socklen_t(MemoryLayout<sockaddr_in>.size)
withUnsafeMutablePointer(to: &address) {
  $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
    guard bind(listener, $0, size) == 0, listen(listener, 8) == 0 else { return perror("listen") }
    getsockname(listener, $0, &size)
  }
}
let accepting = DispatchSource.makeReadSource(fileDescriptor: listener, queue: counts.queue)
accepting.setEventHandler { @Sendable in
  let client = accept(listener, nil, nil)
  if client >= 0 { serve(client) }
}
accepting.resume()

signal(SIGTERM, SIG_IGN)
let ending = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .main)
ending.setEventHandler {
  recorder.recordLifecycle(.willTerminate)
  exit(0)
}
ending.resume()
recorder.recordLifecycle(.didLaunch)
print("port \(UInt16(bigEndian: address.sin_port))")
fflush(nil)
dispatchMain()
