import CrashAnalysis
import IncidentModel
import ProcessTesting
import ReportTrials
import Testing

/// What findings say where the thread came in by a framework, and where the cause has left the stack.
@Suite struct HandoverTests {
  private func findings(_ file: String) throws -> [Finding] {
    let trial = try #require(ReportTrial.all.first { $0.file == file })
    return ReportReading(path: trial.path).entries.map(\.finding)
  }

  @Test func theHeadlineNamesWhoCalledWhomAndTheCheck() throws {
    let finding = try #require(try findings("handover-store.ips").first)
    #expect(
      finding.title
        == "StoreKit called Shop.productsRequest(_:didReceive:) (Shop.swift:70) on queue "
        + "com.apple.root.default-qos: the call led to LegacyNet.send(_:) (LegacyNet.swift:33), whose check "
        + "expects the main thread")
    #expect(
      finding.evidence.first?.text
        == "SKProductsRequestDelegate (StoreKit): the documentation promises no thread for the response"
    )
    #expect(finding.fix.text.contains("Keep the check in LegacyNet.send(_:)"))
  }

  @Test(arguments: [
    ("handover-store.ips", "DispatchQueue.main.async"),
    ("handover-photos.json", "dispatch_async(dispatch_get_main_queue()"),
    ("handover-okhttp.txt", "runOnUiThread"), ("handover-file-watcher.txt", "BeginInvoke"),
  ])
  func theFixIsInTheLanguageOfTheCallback(file: String, words: String) throws {
    #expect(try #require(try findings(file).first).fix.text.contains(words))
  }

  @Test func aFrameworksOwnWayIsOffered() throws {
    let fix = try #require(try findings("handover-location.ips").first).fix.text
    #expect(fix.contains("Or: Create the CLLocationManager on the main thread."))
  }

  @Test func aQueueOfTheProgramsOwnIsNoFramework() throws {
    let finding = try #require(try findings("handover-own-replay.crash").first)
    #expect(
      finding.title.hasPrefix("The closure in -[MDShop replayCached] (MDShop.m:70) ran on queue"))
    #expect(!finding.evidence.contains { $0.text.contains("StoreKit") })
  }

  // MARK: Commits

  @Test func aCommitAtAThreadsEndIsSaidToBeOne() throws {
    let finding = try #require(try findings("commit-kscrash.json").first)
    #expect(
      finding.title
        == "UI was changed on a background thread earlier; Core Animation committed the change when "
        + "thread 6 ended, and the process died there")
    #expect(finding.culprit == nil)
    #expect(finding.evidence.contains { $0.text.contains("is not on this stack") })
    #expect(finding.fix.text.contains("CA_ASSERT_MAIN_THREAD_TRANSACTIONS=1"))
    #expect(!finding.fix.text.contains("background, do no UI work"))
  }

  @Test func candidatesAreThreadsAtWorkAndWhatCameBefore() throws {
    let threads = try #require(try findings("commit-candidates.crash").first).evidence
    #expect(
      threads.contains {
        $0.text == "candidate: thread 4 (queue org.orchid.sync) was in"
          && $0.place?.function == "-[ODSync upload]"
      })
    let crumbs = try #require(try findings("commit-crumbs.json").first).evidence.map(\.text)
    #expect(
      crumbs.contains("candidate: the code that ran after “http: GET /basket 200”, 2 s earlier"))
    let loop = try #require(try findings("commit-run-loop.crash").first).evidence
    #expect(loop.contains { $0.place?.function == "-[MDSocketThread main]" })
  }

  @Test func allThatIsSaidOfACommitIsOneStory() throws {
    let findings = try findings("commit-crumbs.json")
    #expect(findings.map(\.rule) == ["crash-cause", "ui-after-background", "off-main-ui"])
    #expect(Set(findings.map(\.defect)).count == 1)
  }

  // MARK: Fingerprints

  private func crash(_ message: String, top: String) -> String {
    """
    Incident Identifier: 1
    Process:             Orchid [7]
    Exception Type:  EXC_CRASH (SIGABRT)
    Triggered by Thread:  2
    \(message.isEmpty ? "" : "\nApplication Specific Information:\n\(message)\n")
    Thread 2 Crashed:
    0   libsystem_kernel.dylib  0x0000000180000010 __pthread_kill + 8
    1   libsystem_c.dylib       0x0000000180000020 abort + 180
    2   CoreData                0x0000000180000030 \(top) + 20
    3   libdispatch.dylib       0x0000000180000040 _dispatch_client_callout + 20

    """
  }

  private func fingerprint(_ text: String) -> Set<String> {
    Set(ReportReading(bytes: Array(text.utf8), name: "a").entries.map(\.fingerprint))
  }

  @Test func deathsWithoutOwnCodeAreToldApartByTheirWords() {
    let prints = [
      crash("Could not merge changes.", top: "-[NSManagedObjectContext save:]"),
      crash("The model is not compatible.", top: "-[NSManagedObjectContext save:]"),
      crash("", top: "-[NSManagedObjectContext save:]"),
      crash("", top: "-[NSSQLCore prepareForSave:]"),
    ].map(fingerprint)
    #expect(prints.allSatisfy { $0.count == 1 })
    #expect(Set(prints).count == 4)
  }

  @Test func theSameDeathHasOneFingerprintWhateverNumbersItTells() {
    let one = crash("Could not merge 12 changes at 0x1050 (object 7).", top: "a")
    let other = crash("Could not merge 3 changes at 0x20fe0 (object 900).", top: "b")
    #expect(fingerprint(one) == fingerprint(other))
  }

  @Test func theSameDeathHasOneFingerprintWhateverContainerItCameIn() {
    let exception =
      "*** Terminating app due to uncaught exception 'NSGenericException', reason: 'No store is open.'"
    let console = """
      2024-10-01 08:00:00.1 Orchid[7:8] \(exception)
      *** First throw call stack:
      (
        0   CoreFoundation                      0x0000000180000010 __exceptionPreprocess + 224
        1   CoreData                            0x0000000180000020 -[NSManagedObjectContext save:] + 20
      )

      """
    #expect(
      fingerprint(crash(exception, top: "-[NSManagedObjectContext save:]")) == fingerprint(console))
  }

  // MARK: Hangs, and several reports

  @Test(arguments: ["alike-metrickit-hang-idle.json", "alike-anr-idle.txt"])
  func aHangThatNothingExplainsIsNoSuccess(file: String) throws {
    let findings = try findings(file)
    #expect(findings.map(\.rule) == ["unclean-end"])
    #expect(findings.first?.severity == .error)
  }

  @Test func whatStandsAboveACrashIsRead() throws {
    let checker = """
      Main Thread Checker: UI API called on a background thread: -[UILabel setText:]
      PID: 7, TID: 90, Thread name: (none), Queue name: org.orchid.net, QoS: 0
      Backtrace:
      4   Orchid                              0x0000000100003000 -[ODRow show:] + 20
      5   libdispatch.dylib                   0x0000000180000040 _dispatch_client_callout + 20


      """
    let both = ReportReading(
      bytes: Array((checker + crash("No store is open.", top: "a")).utf8), name: "a")
    #expect(both.recordings.count == 2)
    #expect(both.entries.map(\.finding.rule).sorted() == ["crash-cause", "off-main-ui"])
  }

  @Test func aDeathThatIsToldTwiceIsOne() throws {
    let exception =
      "*** Terminating app due to uncaught exception 'NSGenericException', reason: 'No store is open.'"
    let text =
      "2024-10-01 08:00:00.1 Orchid[7:8] \(exception)\n\n" + crash(exception, top: "a")
    #expect(ReportReading(bytes: Array(text.utf8), name: "a").recordings.count == 1)
  }
}
