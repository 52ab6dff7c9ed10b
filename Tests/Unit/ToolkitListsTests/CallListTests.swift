import Foundation
import ProcessTesting
import Testing
import crashscan

/// Lists of functions that belong to one thread, as people write them.
@Suite struct CallListTests {
  static let board = """
    # What belongs to one thread of ours.
    toolkit Board
    library libboard.so.2
    library libboard-more.so.2
    owner main-context
    objects BoardView board_view_name
    fix c Hand it over by board_post(function, data).

    call board_draw
    call board_clear BoardView
    on board_set
    new board_new
    lock board_lock
    unlock board_unlock
    """

  @Test func everyLineSaysWhatTheDocumentSays() throws {
    let list = try CallList(text: Self.board, path: "board.calls")
    #expect(list.toolkit == "Board")
    #expect(list.libraries == ["libboard.so.2", "libboard-more.so.2"])
    #expect(list.owner == .mainContext)
    #expect(list.objects == "BoardView" && list.naming == "board_view_name")
    #expect(list.fixes.map(\.language) == ["c"])
    #expect(list.fixes.map(\.text) == ["Hand it over by board_post(function, data)."])
    #expect(
      list.functions.mapValues(\.kind) == [
        "board_draw": .call, "board_clear": .call, "board_set": .callOn, "board_new": .newOf,
        "board_lock": .lock, "board_unlock": .unlock,
      ])
    #expect(list.functions.filter { !$0.value.type.isEmpty }.map(\.value.type) == ["BoardView"])
  }

  @Test(arguments: [
    "cal board_draw", "call", "call board-draw", "call 2draw", "call board_draw; rm", "owner me",
    "fix c", "toolkit", "board_draw",
    // Who stands there must know more than we do.
    "call dlopen", "call _dl_find_object", "call pthread_create",
  ])
  func aLineThatSaysNothingIsNamedByFileAndNumber(line: String) {
    let text = Self.board + "\n" + line + "\ncall board_end\n"
    #expect {
      try CallList(text: text, path: "lists/board.calls")
    } throws: { error in
      "\(error)" == "lists/board.calls:15: not a line of a call list: \(line)"
    }
  }

  @Test(arguments: ["toolkit", "library", "call"])
  func aListThatLacksSomethingIsNone(word: String) {
    let lines = ["toolkit Board", "library libboard.so.2", "call board_draw"]
    let text = lines.filter { !$0.hasPrefix(word) }.joined(separator: "\n")
    #expect {
      try CallList(text: text, path: "board.calls")
    } throws: { error in
      "\(error)"
        == "board.calls: not a call list (expected at least a toolkit, a library and a call)"
    }
  }

  /// With a line break of another system's at its end, a function would be none that anybody calls.
  @Test func aLineOfAnotherSystemIsNotRead() {
    #expect(throws: CallListError.self) {
      try CallList(
        text: "toolkit Board\nlibrary libboard.so.2\ncall board_draw\r\n", path: "board.calls")
    }
  }

  @Test(arguments: ["gtk3", "gtk4", "sdl2"])
  func theListsThatAreShippedCanBeRead(name: String) throws {
    let list = try Self.shipped(name)
    #expect(list.functions.count > 100 && !list.fixes.isEmpty)
    // What may be called anywhere is in none.
    for function in ["g_idle_add", "g_object_ref", "g_object_unref", "SDL_PushEvent"] {
      #expect(list.functions[function] == nil)
    }
  }

  static func shipped(_ name: String) throws -> CallList {
    let path = "Sources/Interposers/CInterposers/toolkit/Calls/\(name).calls"
    let file = Repository.root.appendingPathComponent(path)
    return try CallList(text: String(contentsOf: file, encoding: .utf8), path: path)
  }
}
