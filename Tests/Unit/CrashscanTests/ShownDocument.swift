/// `crashscan-show/1` as another program would read it.
struct ShownDocument: Decodable {
  struct Process: Decodable {
    var id: Int
    var executable: String
    var opened: String
    var openedMonotonic: UInt64
  }

  struct Thread: Decodable {
    var ordinal: Int
    var id: Int?
    var name: String?
  }

  struct Queue: Decodable {
    var serial: UInt64
    var label: String
  }

  struct Datum: Decodable {
    var key: String
    var type: String
    var value: Value
  }

  enum Value: Decodable, Equatable {
    case string(String)
    case integer(Int64)
    case double(Double)
    case boolean(Bool)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let flag = try? container.decode(Bool.self) {
        self = .boolean(flag)
      } else if let integer = try? container.decode(Int64.self) {
        self = .integer(integer)
      } else if let double = try? container.decode(Double.self) {
        self = .double(double)
      } else {
        self = .string(try container.decode(String.self))
      }
    }
  }

  struct Function: Decodable {
    var name: String
    var mangledName: String
    var file: String?
    var line: Int?
    var column: Int?
    var isInlined: Bool
  }

  struct Frame: Decodable {
    var address: String
    var isReturnAddress: Bool
    var module: String?
    var offset: String?
    var isOwn: Bool
    var functions: [Function]
  }

  struct Stack: Decodable {
    var end: String
    var frames: [Frame]
  }

  struct Crumb: Decodable {
    var time: String
    var monotonic: UInt64
    var thread: Thread
    var number: UInt32
    var queue: Queue?
    var onMain: Bool?
    var kind: String
    var level: String
    var category: String
    var message: String
    var data: [Datum]
    var hop: UInt64?
    var isMessageCut: Bool?
    var isDataCut: Bool?
    var isInterrupting: Bool?
    var stack: Stack?
    var originStack: Stack?
  }

  struct Losses: Decodable {
    var recycled: [String: UInt64]
    var dropped: [String: UInt64]
  }

  struct Unread: Decodable {
    var offset: UInt64
    var length: UInt64
    var reason: String
  }

  struct Module: Decodable {
    var path: String
    var buildID: String
    var loadBias: String
    var start: String
    var end: String
    var shortcoming: String?
  }

  var schema: String
  var log: String
  var process: Process?
  var notes: [String]
  var crumbs: [Crumb]
  var ending: String
  var crash: Crash?
  var losses: Losses
  var unread: [Unread]
  var modules: [Module]
}
