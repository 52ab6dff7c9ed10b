import Testing

@testable import Operations

@Suite struct OperationMessageTests {
  @Test func bothKindsAreRead() throws {
    let id = OperationID("a")
    #expect(try OperationMessage(Posts.progress("a", 40)) == OperationMessage(id, .progress(40)))
    #expect(
      try OperationMessage(Posts.completed("a"))
        == OperationMessage(id, .completed(isSuccess: true)))
    #expect(
      try OperationMessage(Posts.completed("a", "error"))
        == OperationMessage(id, .completed(isSuccess: false)))
  }

  @Test(arguments: [
    #"{"message":"progress","id":"a","progress":40,"state":null,"by":"x"}"#,
    #" { "id" : "a" , "progress" : 40.0 , "message" : "progress" } "#,
  ])
  func theOrderOfFieldsAndWhatElseStandsThereDoNotMatter(body: String) throws {
    let read = try OperationMessage(ScriptMessage(body: body))
    #expect(read == OperationMessage(OperationID("a"), .progress(40)))
  }

  @Test(arguments: [0, 100])
  func theEndsOfTheScaleAreOnIt(percent: Int) throws {
    #expect(try OperationMessage(Posts.progress("a", percent)).event == .progress(percent))
  }

  @Test(arguments: [
    ("", MessageError.notJSON),
    ("{", .notJSON),
    (#"{"id":"a""#, .notJSON),
    ("hello", .notJSON),
    ("null", .notAnObject),
    ("[]", .notAnObject),
    ("7", .notAnObject),
    ("{}", .missing("id")),
    (#"{"id":"a"}"#, .missing("message")),
    (#"{"id":7,"message":"progress"}"#, .wrongType("id")),
    (#"{"id":null,"message":"progress"}"#, .wrongType("id")),
    (#"{"id":"a","message":[]}"#, .wrongType("message")),
    (#"{"id":"a","message":"progress"}"#, .missing("progress")),
    (#"{"id":"a","message":"progress","progress":"40"}"#, .wrongType("progress")),
    (#"{"id":"a","message":"progress","progress":4.5}"#, .wrongType("progress")),
    (#"{"id":"a","message":"progress","progress":1e99}"#, .wrongType("progress")),
    (#"{"id":"a","message":"progress","progress":-1}"#, .outOfRange(-1)),
    (#"{"id":"a","message":"progress","progress":101}"#, .outOfRange(101)),
    (#"{"id":"a","message":"completed"}"#, .missing("state")),
    (#"{"id":"a","message":"completed","state":"maybe"}"#, .unknownState("maybe")),
    (#"{"id":"a","message":"completed","state":1}"#, .wrongType("state")),
    (#"{"id":"a","message":"paused"}"#, .unknownKind("paused")),
  ])
  func whatIsNoMessageSaysWhy(body: String, error: MessageError) {
    #expect(throws: error) { try OperationMessage(ScriptMessage(body: body)) }
  }

  @Test func whatIsNoTextIsNoMessage() {
    let body = Posts.progress("a", 40).body
    #expect(throws: MessageError.notText) {
      try OperationMessage(ScriptMessage(body: body, isText: false))
    }
  }
}
