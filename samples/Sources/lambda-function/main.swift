// A function for AWS Lambda on a custom runtime: it adds the weight of a box to the weight of a parcel.
//
// Only /tmp is writable. After a crash, Lambda starts the program again in the same environment, whose
// /tmp still has the log: the new process writes the death to standard error, which Lambda keeps.

import Dispatch
import Glibc
import Mainstay
import PastDeaths

let recorder = Mainstay.start(path: "/tmp/breadcrumbs.log").recorder
let deaths = DispatchSemaphore(value: 0)
PastDeaths(log: recorder.path).deliver(as: .json) { death in
  _ = death.contents.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
} completion: { _ in
  deaths.signal()
}
deaths.wait()

/// The address of Lambda's runtime interface: `HOST:PORT`.
let service = getenv("AWS_LAMBDA_RUNTIME_API").map { String(cString: $0) } ?? ""

/// Sends a request and returns the header and the body of the response; nil if nothing answers.
func call(_ method: String, _ path: String, body: String = "") -> (header: String, body: String)? {
  let parts = service.split(separator: ":").map(String.init)
  guard parts.count == 2, let port = UInt16(parts[1]) else { return nil }
  let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(connection) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  inet_pton(AF_INET, parts[0], &address.sin_addr)
  let size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isConnected = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(connection, $0, size) == 0 }
  }
  let request = """
    \(method) /2018-06-01/runtime/invocation/\(path) HTTP/1.1\r\nHost: \(service)\r\nContent-Length: \
    \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)
    """
  guard isConnected, send(connection, request, request.utf8.count, 0) > 0 else { return nil }
  var bytes = [UInt8](repeating: 0, count: 65536), response: [UInt8] = []
  while case let length = recv(connection, &bytes, bytes.count, 0), length > 0 {
    response += bytes[..<length]
  }
  let text = String(decoding: response, as: UTF8.self)
  guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
  return (String(text[..<end.lowerBound]), String(text[end.upperBound...]))
}

/// The bug: an event that is no number ends the process.
func weight(ofParcel event: String) -> Double { Double(event)! + 1 }

recorder.recordLifecycle(.didLaunch)
while let event = call("GET", "next") {
  let lines = event.header.split(separator: "\r\n").map { $0.split(separator: ": ", maxSplits: 1) }
  let id = lines.first { $0[0].lowercased() == "lambda-runtime-aws-request-id" }.map {
    String($0[1])
  }
  guard let id else { break }
  withCrumbs(["request": .string(id)]) {
    recorder.record("event", category: "lambda", data: ["event": .string(event.body)])
    _ = call("POST", "\(id)/response", body: "\(weight(ofParcel: event.body))")
  }
}
recorder.recordLifecycle(.willTerminate)
