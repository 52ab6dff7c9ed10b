// swift-tools-version: 6.0
import PackageDescription

// libgcc_s and libc stand before libunwind, so that a host's C++ exceptions and its `backtrace`
// keep resolving to their usual homes (docs/dependencies.md).
let unwind: [LinkerSetting] = [
  .linkedLibrary("c"), .linkedLibrary("gcc_s"), .linkedLibrary("unwind"),
]

let package = Package(
  name: "mainstay",
  products: [
    .library(name: "ThreadAffinity", targets: ["ThreadAffinity"]),
    .library(name: "Breadcrumbs", targets: ["Breadcrumbs"]),
    .library(name: "BreadcrumbNotifications", targets: ["BreadcrumbNotifications"]),
    .executable(name: "crashscan", targets: ["crashscan"]),
  ],
  targets: [
    // The recording half: lives inside somebody's service.
    .target(name: "CQueueState"),
    .target(name: "CBreadcrumbLog"),
    .target(name: "CProcessWatch", dependencies: ["CBreadcrumbLog", "CQueueState"]),
    .target(name: "CStackWalk", linkerSettings: unwind),
    .target(name: "CRuntime"),
    .target(name: "ThreadAffinity", dependencies: ["CQueueState", "CRuntime"]),
    .target(
      name: "Breadcrumbs",
      dependencies: ["ThreadAffinity", "CQueueState", "CBreadcrumbLog", "CProcessWatch", "CStackWalk"]),
    .target(name: "BreadcrumbNotifications", dependencies: ["Breadcrumbs"]),

    // The analysing half: reads what the recording half left.
    .target(name: "IncidentModel"),
    .target(name: "BreadcrumbLog", dependencies: ["IncidentModel", "CBreadcrumbLog"]),
    .target(
      name: "CDwarf",
      linkerSettings: [.linkedLibrary("dw"), .linkedLibrary("elf"), .linkedLibrary("stdc++")]),
    .target(name: "Symbolication", dependencies: ["IncidentModel", "CDwarf"]),
    .target(name: "CrashAnalysis", dependencies: ["IncidentModel"]),
    .target(name: "Reporting", dependencies: ["IncidentModel", "CrashAnalysis"]),
    .executableTarget(
      name: "crashscan",
      dependencies: [
        "IncidentModel", "BreadcrumbLog", "Symbolication", "CrashAnalysis", "Reporting",
      ]),

    .testTarget(
      name: "SymbolicationTests", dependencies: ["IncidentModel", "CDwarf", "Symbolication"]),
  ],
  cLanguageStandard: .gnu17,
  cxxLanguageStandard: .gnucxx17
)
