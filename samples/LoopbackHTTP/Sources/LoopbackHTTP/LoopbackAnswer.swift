import Foundation

/// What a request is answered with.
public struct LoopbackAnswer: Sendable {
  /// The status code.
  public var status: Int
  /// Header fields besides the length and the connection's end.
  public var headers: [String: String]
  /// The content.
  public var body: Data
  /// How many bytes of the content are really sent, if the connection is to break amid it.
  public var cutAfter: Int?
  private var isSilent = false

  /// Makes an answer.
  public init(
    status: Int = 200, headers: [String: String] = [:], body: Data = Data(), cutAfter: Int? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.cutAfter = cutAfter
  }

  /// An answer of text, such as JSON.
  public static func text(
    _ text: String, type: String = "application/json", status: Int = 200
  ) -> LoopbackAnswer {
    LoopbackAnswer(status: status, headers: ["Content-Type": type], body: Data(text.utf8))
  }

  /// A bare status, as an error is.
  public static func status(_ status: Int) -> LoopbackAnswer { LoopbackAnswer(status: status) }

  /// Another place to ask.
  public static func redirect(to place: String) -> LoopbackAnswer {
    LoopbackAnswer(status: 302, headers: ["Location": place])
  }

  /// No answer at all: the connection ends.
  public static var hangUp: LoopbackAnswer {
    var answer = LoopbackAnswer()
    answer.isSilent = true
    return answer
  }

  /// Writes it to a connection.
  func send(to connection: Int32) {
    if isSilent { return }
    var head = "HTTP/1.1 \(status) \(status < 400 ? "OK" : "Error")\r\n"
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
    head += "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
    Socket.send(Data(head.utf8) + body.prefix(cutAfter ?? body.count), to: connection)
  }
}
