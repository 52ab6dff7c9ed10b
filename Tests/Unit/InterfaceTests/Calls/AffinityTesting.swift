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
  // expected-error@+1 {{'Substring') to expected argument type 'String'}}
  expectViolation(of: .main, in: part) {}
}

@MainActor func crashes() async {
  await expectCrash("crash-cause", culprit: maybe, within: .seconds(long)) {}
  await expectCrash(.crash, culprit: "show(\(item))") {}
}
