import CRecorder
import IncidentModel
import Testing

/// Words of the log and names of the library's own code, which both halves know.
@Suite struct WordTests {
  @Test func wordsAreReadAsTheyAreWritten() {
    for step in LifecycleStep.allCases { #expect(LifecycleStep(step.text) == step) }
    for step in TaskStep.allCases { #expect(TaskStep(step.text) == step) }
    for kind in WatchedKind.allCases { #expect(WatchedKind(kind.text) == kind) }
    for doing in HolderActivity.allCases { #expect(HolderActivity(doing.text) == doing) }
    #expect(LifecycleStep("did something of its own") == nil)
    #expect(TaskStep("") == nil)
  }

  @Test func anOriginIsRead() {
    #expect(
      OriginText("enqueued at App/Feed.swift:12 on queue net (thread 41)")
        == OriginText(how: "enqueued", site: "App/Feed.swift:12", place: "queue net (thread 41)"))
    #expect(
      OriginText("registered at App/A.swift:1 on queue at home on 7 (thread 41)")
        == OriginText(
          how: "registered", site: "App/A.swift:1", place: "queue at home on 7 (thread 41)"))
    #expect(
      OriginText("bound at App/Größe.swift:7 on thread 9, named on at")
        == OriginText(how: "bound", site: "App/Größe.swift:7", place: "thread 9, named on at"))
    #expect(OriginText.stack("7f 0") == [0x7f, 0])
  }

  @Test func whatIsNoOriginIsNone() {
    for text in ["", "enqueued", "enqueued at App/Feed.swift:12", " on  at ", "on queue at x"] {
      #expect(OriginText(text) == nil, "\(text)")
    }
    #expect(OriginText.stack("") == nil && OriginText.stack("7f zz") == nil)
  }

  @Test(arguments: [
    "ms_log_append", "$s11Breadcrumbs18BreadcrumbRecorderC", "$s19MainstayHummingbird4next",
  ])
  func ownFunctionsAreKnownByName(_ name: String) {
    #expect(ms_own_function(name, nil))
  }

  @Test(arguments: [
    "", "ms", "main", "$s", "$s11", "$s11Breadcrumb", "$s12BreadcrumbsX", "$s3App11BreadcrumbsC",
    "$s99999999999999999999Breadcrumbs", "$s99Breadcrumbs", "$s999CrashTesting", "$s0Breadcrumbs",
  ])
  func otherFunctionsAreNot(_ name: String) {
    #expect(!ms_own_function(name, nil))
    #expect(!ms_own_function(name, "/home/me/App/Sources/App/main.swift"))
    #expect(!ms_own_function(name, "/home/me/CRecorder/main.c"))
    #expect(!ms_own_function(name, "/home/me/Sources/CRecorder"))
  }

  @Test func localFunctionsOfCAreKnownByTheirFolder() {
    #expect(ms_own_function("walk", "/build/mainstay/Sources/Recorder/CRecorder/walk/walk.c"))
  }

  @Test func namesOfModulesAreWhole() {
    #expect(ms_own_module("Breadcrumbs") && !ms_own_module("Breadcrumb") && !ms_own_module(""))
    #expect(ms_own_adapter("MainstayNIO") && !ms_own_adapter("Mainstay"))
    #expect(ms_own_folder("CRecorder") && !ms_own_folder("CRecorder2"))
    #expect(ms_own_interposer("poll") && !ms_own_interposer("pol"))
  }
}
