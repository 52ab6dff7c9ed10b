import CRecorder
import CWalkSubjects
import Testing
import WalkSubjects

/// Every walk from inside Swift, C and C++ code has the frames libunwind finds from the same
/// registers, whether rules are remembered or not.
@Suite(.serialized)
struct WalkTests {
  init() { ms_walk_start() }

  @Test(arguments: Subject.all.map(\.name))
  func equalsLibunwindInSwift(name: String) async throws {
    let subject = try #require(Subject.all.first { $0.name == name })
    let before = Subject.totals
    await subject.run()
    let after = Subject.totals
    #expect(after.captures > before.captures)
    #expect(after.unexplained == before.unexplained)
    #expect(after.remembered > before.remembered)
  }

  @Test func equalsLibunwindInNativeCode() throws {
    var count: UInt32 = 0
    let subjects = UnsafeBufferPointer(start: ms_native_subjects(&count), count: Int(count))
    for subject in subjects {
      let before = Subject.totals
      subject.run()
      let name = String(cString: subject.name)
      #expect(Subject.totals.unexplained == before.unexplained, "\(name)")
    }
    #expect(count > 20)
  }

  @Test func equalsLibunwindInSwiftTesting() {
    #expect(ms_compare_here("Swift Testing"))
    [1].forEach { _ in #expect(ms_compare_here("a closure in Swift Testing")) }
  }
}
