import Breadcrumbs
import CrashscanLogs
import Logging
import MainstayLifecycle
import ServiceLifecycle
import Testing

@Suite struct CrumbServiceTests {
  private let log = TemporaryLog()

  private struct Calm: Service {
    func run() async throws { try await gracefulShutdown() }
  }
  private struct Failing: Service {
    struct Reason: Error {}
    func run() async throws { throw Reason() }
  }

  private func group(_ services: [any Service]) -> ServiceGroup {
    ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: services.map { .init(service: $0) }, logger: Logger(label: "tests")))
  }

  @Test func aServiceIsToldOfFromItsBeginToItsEndAndTheRecorderClosesLast() async throws {
    let recorder = try log.open()
    let group = group([
      RecorderService(recorder), CrumbService(Calm(), "server", recorder: recorder),
      CrumbService(Calm(), recorder: recorder),
    ])
    async let run: Void = group.run()
    while try log.crumbs().count < 2 { await Task.yield() }
    await group.triggerGracefulShutdown()
    try await run
    let told = try log.crumbs().filter { $0.category == "service" }
    for name in ["server", "Calm"] {
      #expect(
        told.filter { $0.text("service") == name }.map(\.message)
          == ["service begins", "service is asked to end", "service ends"])
    }
    #expect(!recorder.isRecording)
  }

  @Test func whatFailsAndWhatIsCancelledForItAreTold() async throws {
    let recorder = try log.open()
    let group = group([
      CrumbService(Calm(), "server", recorder: recorder),
      CrumbService(Failing(), "mail", recorder: recorder),
    ])
    await #expect(throws: Failing.Reason.self) { try await group.run() }
    recorder.close()
    let told = try log.crumbs()
    let mail = told.filter { $0.text("service") == "mail" }
    #expect(mail.map(\.message) == ["service begins", "service ends"])
    #expect(mail.last?.text("error") == "Reason" && mail.last?.level == "warning")
    #expect(
      told.filter { $0.text("service") == "server" }.map(\.message).last == "service ends")
  }
}
