import Foundation
import FoundationNetworking
import LoopbackHTTP

// Many requests at once to a real server; URLSession calls back on a queue of its own, and the
// generated shim brings every callback to the main queue.

let requests = 64
let server = try LoopbackServer { request in
  // `/from/7` leads to `/7`, which sends its own path back, over and over.
  request.path.hasPrefix("/from/")
    ? .redirect(to: String(request.path.dropFirst("/from".count)))
    : .text(String(repeating: request.path, count: 16_384 / request.path.utf8.count))
}

let downloads = Downloads(awaiting: requests) { report() }
let shim = URLSessionDataDelegateHop(downloads)
let session = URLSession(configuration: .ephemeral, delegate: shim, delegateQueue: nil)
for number in 0..<requests {
  // Every fourth is led somewhere else first.
  let path = number % 4 == 0 ? "from/\(number)" : "\(number)"
  session.dataTask(with: server.url.appendingPathComponent(path)).resume()
}
RunLoop.main.run()

/// Prints what came, and ends the program: well, if all came where and as it should.
@MainActor
func report() {
  let all = downloads.downloads.values
  let plain = all.filter { $0.steps == ["response", "data", "complete"] }
  let redirected = all.filter { $0.steps == ["redirect", "response", "data", "complete"] }
  print("\(downloads.callbacks) callbacks of \(all.count) requests,")
  print("\(downloads.callbacksOffMain) of them off the main queue;")
  print("\(plain.count) requests in order, \(redirected.count) more after a redirect")
  let isWell =
    downloads.callbacksOffMain == 0 && redirected.count == requests / 4
    && plain.count + redirected.count == requests && all.allSatisfy { $0.bytes > 12_000 }
  for download in all where !isWell { print("\(download)") }
  exit(isWell ? 0 : 1)
}
