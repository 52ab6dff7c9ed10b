// Every public function of AffinityTesting that takes a text, a value or a number; see
// Breadcrumbs.swift.
import AffinityTesting
import ThreadAffinity

let item = "bolts", part = item.dropFirst(), byte: UInt8 = 1, long: Int64 = 2
let maybe: String? = nil

func storms() throws {
  _ = CallbackStorm(seed: UInt64(byte), deliveries: Int(long), patience: .seconds(byte))
  _ = CallbackStorm(replaying: "\(item)")
  _ = CallbackStorm(replaying: String(part), patience: .milliseconds(long))
  _ = try StormSchedule(parsing: maybe ?? "")
  // expected-error@+1 {{cannot convert value of type 'UInt8' to expected argument type 'UInt64'}}
  _ = CallbackStorm(seed: byte)
}

func violations() {
  expectViolation(of: .main, in: "show(\(item))") {}
  expectViolation(of: .main, in: maybe) {}
  expectNoViolations(allowing: .function("\(part)"), .message(item)) {}
  // expected-error@+1 {{'Substring') to expected argument type 'String}}
  expectViolation(of: .main, in: part) {}
}

@MainActor final class Inbox {
  var unread = 0
  // expected-note@+1 {{from outside of its actor context are implicitly asynchronous}}
  func received(_ number: Int) { unread += number }
  func load() async {}
}

/// What belongs to the main actor is handed over without a warning.
func mainActor() async throws {
  try await CallbackStorm(seed: 1).run { scenario in
    let inbox = await MainActor.run { Inbox() }
    scenario.callback("numbered") { @MainActor number in inbox.received(number) }
    scenario.callback("plain") { @MainActor in inbox.received(1) }
    scenario.callback("awaited") { number in await inbox.received(number) }
    scenario.callback("loaded") { @MainActor in await inbox.load() }
    scenario.completions("answer").add { @MainActor in inbox.received(1) }
    scenario.completions("answer").add { await inbox.load() }
    scenario.action("receive") { inbox.received(1) }
    scenario.action("load") { await inbox.load() }
    scenario.onCancel { inbox.received(0) }
    scenario.check("right") { inbox.unread >= 0 }
    scenario.check("right, awaited") { await inbox.unread >= 0 }
    // expected-error@+1 {{call to main actor-isolated instance method 'received' in a synchronous nonisolated context}}
    scenario.callback("anywhere") { inbox.received(1) }
  }
  try await CallbackStorm(seed: 1).run { @MainActor scenario in
    let inbox = Inbox()
    scenario.callback("plain") { @MainActor in inbox.received(1) }
    scenario.check("right") { inbox.unread >= 0 }
  }
  try await TaskStorm(seed: 1).run { @MainActor scenario in
    let inbox = Inbox()
    scenario.task("receive") { @MainActor in inbox.received(1) }
    scenario.task("load") { await inbox.load() }
    scenario.check("right") { @MainActor in inbox.unread >= 0 }
  }
}
