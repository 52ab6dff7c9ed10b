import Foundation
import ProcessTesting
import Testing
import crashscan

/// The library that stands in front of the functions of lists, as binutils reads it.
@Suite struct FrontLibraryTests {
  /// What `readelf` says of a library; it complains on standard error of what it cannot read.
  private func readelf(_ option: String, of lists: [CallList]) throws -> [Substring] {
    let file = TestFiles.path("front.so")
    try Data(FrontLibrary(lists).bytes).write(to: URL(fileURLWithPath: file))
    let ran = try ChildProcess.run(path: "readelf", ["-W", option, "--use-dynamic", file])
    #expect(ran.status == 0 && ran.errors.isEmpty, "\(ran.errors)")
    return ran.output.split(separator: "\n")
  }

  /// Type, place and name of each symbol.
  private func symbols(of lists: [CallList]) throws -> [(type: String, place: String, name: String)]
  {
    try readelf("--syms", of: lists).compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 8, words[0].hasSuffix(":"), words[0] != "Num:", words[4] == "GLOBAL"
      else { return nil }
      return (words[3], words[6], words[7])
    }
  }

  private let board = try! CallList(text: CallListTests.board, path: "board.calls")

  @Test func itDefinesEachFunctionOnceAndWantsOne() throws {
    let symbols = try symbols(of: [board, board])
    #expect(
      symbols.filter { $0.type == "FUNC" }.map(\.name).sorted() == board.functions.keys.sorted())
    #expect(symbols.filter { $0.type == "OBJECT" }.map(\.name) == ["mainstay_toolkit_list"])
    #expect(symbols.filter { $0.place == "UND" }.map(\.name) == ["ms_toolkit_enter"])
  }

  @Test func allThatAreShippedGoIntoOne() throws {
    let lists = try ["gtk3", "gtk4", "sdl2"].map(CallListTests.shipped)
    let names = lists.reduce(into: Set<String>()) { $0.formUnion($1.functions.keys) }
    #expect(Set(try symbols(of: lists).filter { $0.type == "FUNC" }.map(\.name)) == names)
  }

  @Test func nothingOfItIsBothWrittenAndRun() throws {
    let lines = try readelf("--program-headers", of: [board])
    let flags = lines.map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.hasPrefix("LOAD") || $0.hasPrefix("GNU_STACK") }
      .map { $0.split(separator: " ").dropFirst(6).dropLast().joined() }
    #expect(flags == ["R", "RE", "RW", "RW"])
  }

  @Test func theLoaderHasOneWordToFill() throws {
    let lines = try readelf("--relocs", of: [board])
    #expect(lines.filter { $0.contains("R_X86_64_GLOB_DAT") }.count == 1)
    #expect(lines.contains { $0.contains("ms_toolkit_enter") })
  }

  /// Its name in the cache is by its content: the same lists must give the same.
  @Test func theSameListsGiveTheSameBytes() throws {
    let lists = try ["gtk3", "gtk4"].map(CallListTests.shipped)
    #expect(FrontLibrary(lists).bytes == FrontLibrary(lists).bytes)
    #expect(FrontLibrary(lists).bytes != FrontLibrary([lists[0]]).bytes)
  }
}
