// Every public function of CrashTesting that takes a text, a value or a number; see
// Breadcrumbs.swift.
import AffinityTesting
import CrashTesting

let item = "bolts", part = item.dropFirst(), long: Int64 = 2
let maybe: String? = nil

@MainActor func crashes() async {
  await expectCrash("crash-cause", culprit: maybe, within: .seconds(long)) {}
  await expectCrash(.crash, culprit: "show(\(item))") {}
  // expected-error@+1 {{'Substring') to expected argument type 'String}}
  await expectCrash(.crash, culprit: part) {}
}

func storms() async throws {
  let storm = CallbackStorm(seed: 1)
  try await storm.run(forbidding: .uiAfterBackground, "late-delivery") { scenario in
    scenario.callback("received") {}
  }
  _ = try await storm.findBug(forbidding: .crash) { scenario in
    scenario.callback("received") {}
  }
}
