// What earlier runs died of, handed out by one call.
import PastDeaths

func handOut(_ log: String, _ spool: String) {
  let deaths = PastDeaths(log: log)
  deaths.handOut(as: .json) { death in
    let (id, kind, title): (String, String, String) = (death.id, death.kind, death.title)
    let bytes: [UInt8] = death.contents + death.written(as: .openTelemetry)
    _ = (id, kind, title, bytes)
  }
  deaths.handOut(as: .sentryEnvelope, { _ in throw CancellationError() }) { outcome in
    let (ids, problems): ([String], [String]) = (outcome.handedOut, outcome.problems)
    _ = (ids, problems)
  }
  deaths.write(as: .openTelemetry, to: spool)
  deaths.write(as: DeathReport.Format.json, to: spool) { _ in }
  // expected-error@+1 {{missing argument for parameter 'log' in call}}
  _ = PastDeaths()
}
