extension ShownDocument {
  struct Text: Decodable {
    var source: String
    var text: String
  }

  struct CrashThread: Decodable {
    var id: Int
    var ordinal: Int?
    var name: String
    var queue: Queue?
    var onMain: Bool?
    var source: String
    var stack: Stack
  }

  struct Crash: Decodable {
    var time: String
    var monotonic: UInt64
    var signal: String
    var signalNumber: Int
    var address: String?
    var stage: String
    var texts: [Text]
    var kernelID: Int
    var thread: CrashThread?
    var otherThreads: [CrashThread]
    var threadCount: Int
    var walkedCount: Int
    var isOutOfTime: Bool
    var registers: [String: String]?
  }
}
