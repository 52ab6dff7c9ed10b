// swift-tools-version: 6.0
import PackageDescription

// The readers of reports, fed by libFuzzer: built apart from the package, since every file of it is
// instrumented, and under the package's own name, since it reaches into it.
let package = Package(
  name: "mainstay",
  targets: [
    .target(name: "IncidentModel"),
    .target(name: "CDemangle", linkerSettings: [.linkedLibrary("stdc++")]),
    .target(name: "Demangling", dependencies: ["CDemangle"]),
    .target(name: "CJSON", linkerSettings: [.linkedLibrary("simdjson")]),
    .target(name: "CReportScan"),
    .target(
      name: "CrashReports",
      dependencies: ["IncidentModel", "Demangling", "CJSON", "CReportScan"]),
    .target(name: "CrashAnalysis", dependencies: ["IncidentModel"]),
    .executableTarget(
      name: "fuzz-reports", dependencies: ["CrashReports", "CrashAnalysis"], path: "fuzz-reports"),
  ],
  cLanguageStandard: .gnu17,
  cxxLanguageStandard: .gnucxx17
)
