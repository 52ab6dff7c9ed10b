import SampleStage
import Testing

@Suite struct SampleOptionsTests {
  @Test func withoutOptionsASampleRunsWithItsFix() throws {
    let options = try SampleOptions(arguments: ["reader"])
    #expect(!options.bug)
    #expect(options.fix == nil)
    #expect(options.log == "breadcrumbs.log")
  }

  @Test func optionsAreRead() throws {
    let bug = try SampleOptions(arguments: ["reader", "--bug", "--log", "a.log"])
    #expect(bug.bug)
    #expect(bug.log == "a.log")
    let fix = try SampleOptions(arguments: ["reader", "--fix", "hop"], fixes: ["hop", "pause"])
    #expect(fix.fix == "hop")
  }

  @Test(arguments: [
    (["--verbose"], "unknown option: --verbose"), (["extra"], "unknown option: extra"),
    (["--log"], "--log takes a file"), (["--fix"], "--fix takes one of: hop, pause"),
    (["--fix", "pray"], "there is no fix “pray”; --fix takes one of: hop, pause"),
    (["--bug", "--fix", "hop"], "--bug runs without any fix: give one of the two"),
  ])
  func whatIsNotUnderstoodIsSaid(words: [String], reason: String) {
    let error = #expect(throws: SampleUsage.self) {
      try SampleOptions(arguments: ["reader"] + words, fixes: ["hop", "pause"])
    }
    #expect(error?.description == reason)
  }

  @Test func whereThereIsOneFixNoneCanBeChosen() {
    let error = #expect(throws: SampleUsage.self) {
      try SampleOptions(arguments: ["reader", "--fix", "hop"])
    }
    #expect(
      error?.description
        == "there is no fix “hop”; this sample has one fix, which is on unless --bug turns it off")
  }
}
