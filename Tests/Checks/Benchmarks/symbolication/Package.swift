// swift-tools-version: 6.0
import PackageDescription

// The targets are links into the root package, so that what is `package` there is visible here.
let package = Package(
  name: "symbolication-bench",
  targets: [
    .target(name: "LogWords"),
    .target(name: "IncidentModel", dependencies: ["LogWords"]),
    .target(
      name: "CDwarf", linkerSettings: [.linkedLibrary("dw"), .linkedLibrary("elf")]),
    .target(name: "CDemangle", linkerSettings: [.linkedLibrary("stdc++")]),
    .target(name: "Demangling", dependencies: ["CDemangle"]),
    .target(name: "Symbolication", dependencies: ["IncidentModel", "CDwarf", "Demangling"]),
    .target(name: "CProcessTesting", cSettings: [.define("_GNU_SOURCE")]),
    .target(name: "ProcessTesting", dependencies: ["CProcessTesting"]),
    .executableTarget(
      name: "symbolicate-addresses", dependencies: ["IncidentModel", "Symbolication"]),
    .executableTarget(
      name: "symbolication-bench",
      dependencies: ["IncidentModel", "CDwarf", "ProcessTesting", "Symbolication"]),
  ],
  cLanguageStandard: .gnu17
)
