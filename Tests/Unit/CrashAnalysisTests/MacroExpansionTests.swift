import IncidentModel
import Testing

@testable import CrashAnalysis

/// Frames in the generated source files of macros.
struct MacroExpansionTests {
  private static let expectation =
    "/tmp/swift-generated-sources/@__swiftmacro_8macTests0012Tswift_DrJCafMX43_14_6expectfMf_.swift"
  private static let accessor =
    "/tmp/swift-generated-sources/@__swiftmacro_3App5ModelC4name18ObservationTrackedfMa_.swift"

  private func frame(_ function: String, _ file: String?, _ line: Int?) -> Frame {
    Frame(
      place: CodePlace(function: function, module: "App", file: file, line: line), role: .code,
      isInlined: false, isNamed: true)
  }

  @Test func anExpansionIsHiddenAndTheLineOfItsTestStays() {
    var frames = [
      frame("third(_:)", "/p/Rows.swift", 3),
      frame(
        "freestanding macro expansion #1 of expect in module App file T.swift line 44 column 15",
        Self.expectation, 1),
      frame("Suite.runs()", "/p/T.swift", 44),
    ]
    MacroExpansion.hide(in: &frames)
    #expect(frames.map(\.role) == [.code, .runtime, .code])
    #expect(frames.map(\.place.line) == [3, 44, 44])
  }

  @Test func aClosureInAnArgumentIsAtTheLineOfItsMacro() {
    var frames = [
      frame("closure #2 in Suite.runs()", Self.expectation, 1),
      frame("Suite.other()", "/p/Other.swift", 7), frame("Suite.runs()", "/p/T.swift", 40),
    ]
    MacroExpansion.hide(in: &frames)
    #expect(frames[0].role == .code)
    #expect(frames[0].place.file == "/p/T.swift" && frames[0].place.line == 44)
  }

  @Test func aClosureWhoseFileIsUnknownHasNoPlace() {
    var frames = [frame("closure #2 in Suite.runs()", Self.expectation, 1)]
    MacroExpansion.hide(in: &frames)
    #expect(frames[0].role == .code && frames[0].place.file == nil && frames[0].place.line == nil)
  }

  @Test func anAccessorThatAMacroWroteIsHidden() {
    var frames = [
      frame("Model.name.setter", Self.accessor, 9), frame("Model.load()", "/p/Model.swift", 5),
    ]
    MacroExpansion.hide(in: &frames)
    #expect(frames.map(\.role) == [.runtime, .code] && frames[0].place.file == nil)
  }
}
