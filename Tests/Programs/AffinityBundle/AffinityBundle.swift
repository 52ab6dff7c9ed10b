// Two storms as a test runs them that links AffinityTesting and not CrashTesting: what they find, and whether libdw is
// loaded.
import AffinityTesting
import Foundation
import ThreadAffinity

@inline(never)
private func showPrice() {
  expectMainQueue("price label")
}

@main
struct AffinityBundle {
  static func main() async throws {
    let violation = try await CallbackStorm(replaying: "on queue: received").findBug(against: {
      scenario in
      scenario.callback("received") { showPrice() }
    })
    print("violation:\n\(violation?.reason ?? "none")")
    let crash = try await CallbackStorm(replaying: "on queue: received").findBug(
      inChildren: true,
      against: { scenario in
        scenario.callback("received") { fatalError("out of prices") }
      })
    print("crash:\n\(crash?.reason ?? "none")")
    let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
    print("libdw: \(maps.contains("libdw"))")
  }
}
