// swift-tools-version: 6.0
import PackageDescription

// The targets are links into the root package, so that what is `package` there is visible here.
let package = Package(
  name: "symbolication-bench",
  targets: [
    .target(name: "CLogFormat"),
    .target(name: "IncidentModel", dependencies: ["CLogFormat"]),
    .target(
      name: "CSymbols",
      linkerSettings: [
        .linkedLibrary("dw"), .linkedLibrary("elf"), .linkedLibrary("stdc++"),
      ]),
    .target(name: "Symbolication", dependencies: ["CSymbols", "IncidentModel"]),
    .target(name: "CProcessTesting", cSettings: [.define("_GNU_SOURCE")]),
    .target(name: "ProcessTesting", dependencies: ["CProcessTesting"]),
    .executableTarget(
      name: "symbolicate-addresses", dependencies: ["IncidentModel", "Symbolication"]),
    .executableTarget(
      name: "symbolication-bench",
      dependencies: ["CSymbols", "IncidentModel", "ProcessTesting", "Symbolication"]),
  ],
  cLanguageStandard: .gnu17
)
