// What earlier runs died of, handed out by one call.
import PastDeaths

func deliver(_ log: String, _ spool: String) {
  let deaths = PastDeaths(log: log)
  deaths.deliver(as: .json) { death in
    let (id, kind, title): (String, String, String) = (death.id, death.kind, death.title)
    let bytes: [UInt8] = death.contents + death.encoded(as: .openTelemetry)
    _ = (id, kind, title, bytes)
  }
  deaths.deliver(as: .sentryEnvelope, { _ in throw CancellationError() }) { outcome in
    let (ids, problems): ([String], [String]) = (outcome.delivered, outcome.problems)
    _ = (ids, problems)
  }
  deaths.write(as: .openTelemetry, to: spool)
  deaths.write(as: DeathReport.Format.json, to: spool) { _ in }
  // expected-error@+1 {{missing argument for parameter 'log' in call}}
  _ = PastDeaths()
}
