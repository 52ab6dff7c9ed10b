import Foundation
import ProcessTesting

/// A line of JSON, `crashscan-death/1`, as far as these tests look at it.
struct Death: Decodable {
  struct Value: Decodable {
    var key: String
    var type: String
  }

  struct Signal: Decodable {
    var name: String
    var number: Int
  }

  struct Stack: Decodable {
    struct Frame: Decodable {
      struct Function: Decodable { var name: String }

      var isAsyncCaller: Bool
      var module: String?
      var offset: String?
      var functions: [Function]
    }

    var frames: [Frame]
  }

  struct Module: Decodable {
    var path: String
    var buildID: String
  }

  struct Crumb: Decodable { var message: String }

  var schema: String
  var id: String
  var kind: String
  var title: String
  var message: String
  var rule: String?
  var buildFingerprint: String?
  var ending: String
  var release: String?
  var environment: String?
  var host: String?
  var signal: Signal?
  var context: [Value]
  var stack: Stack?
  var crumbs: [Crumb]
  var modules: [Module]

  var functions: [String] { stack?.frames.flatMap(\.functions).map(\.name) ?? [] }

  init(_ json: String) throws {
    self = try JSONDecoder().decode(Death.self, from: Data(json.utf8))
  }

  /// What `crashscan show` writes of a log.
  static func shown(_ log: String, _ format: String = "death", _ options: [String] = []) throws
    -> ChildProcess
  {
    try ChildProcess.run("crashscan", ["show", log, "--format", format] + options)
  }

  /// The log of a victim that died in a way.
  static func log(of way: String, at place: String = "main") throws -> String {
    let path = TestFiles.path("breadcrumbs.log")
    _ = try ChildProcess.run(
      "victim", [way, place, path], environment: ["SWIFT_BACKTRACE": "enable=no"])
    return path
  }
}
