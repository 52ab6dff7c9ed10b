// All that a service does, by one import.
import Mainstay

func begin(_ path: String, _ maybe: String?) {
  Mainstay.start()
  let diagnostics = Mainstay.start(
    path: path, release: maybe, environment: "production", capacity: 1 << 20, keepingLast: 2,
    durability: .machine(syncEvery: .seconds(1)), automatic: [.standard, .waitedSignals],
    crashes: CrashOptions(hangThreshold: nil),
    redact: { draft in draft.message = "" })
  switch diagnostics.destination {
  case .file(let path): diagnostics.recorder.info("records", data: ["path": .string(path)])
  case .memory, .nowhere: break
  }
  let why: RecordingError? = diagnostics.problem
  let (release, environment): (String?, String?) = (diagnostics.release, diagnostics.environment)
  _ = (why, release, environment)
  expectMainQueue("a service starts")
  ViolationPolicy.default = [.log]
  CrashHandler.installAlternateStack()
  // expected-error@+1 {{cannot convert value of type 'Int'}}
  Mainstay.start(release: 14)
}
