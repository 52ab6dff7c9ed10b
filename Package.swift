// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "mainstay",
  products: [
    .library(name: "Mainstay", targets: ["Mainstay"]),
    .library(name: "ThreadAffinity", targets: ["ThreadAffinity"]),
    .library(name: "Breadcrumbs", targets: ["Breadcrumbs"]),
    .library(name: "CrashCapture", targets: ["CrashCapture"]),
    .library(name: "BreadcrumbNotifications", targets: ["BreadcrumbNotifications"]),
    .library(name: "BlockingCalls", targets: ["BlockingCalls"]),
    .library(name: "AffinityTesting", targets: ["AffinityTesting"]),
    .library(name: "PastDeaths", targets: ["PastDeaths"]),
    .executable(name: "crashscan", targets: ["crashscan"]),
    .plugin(name: "GenerateHopShim", targets: ["GenerateHopShim"]),
  ],
  targets: [
    // The recording half: lives inside somebody's service.
    .target(
      name: "CRuntimeFacts", cSettings: [.define("MS_DENY_FACTS", .when(configuration: .debug))]),
    .target(name: "CQueueState", dependencies: ["CRuntimeFacts"]),
    .target(name: "CBreadcrumbLog", dependencies: ["CRuntimeFacts"]),
    .target(
      name: "CProcessWatch", dependencies: ["CBreadcrumbLog", "CQueueState", "CRuntimeFacts"]),
    .target(
      name: "CStackWalk", dependencies: ["CRuntimeFacts"], cSettings: [.define("_GNU_SOURCE")]),
    .target(name: "CRuntime", dependencies: ["CRuntimeFacts"]),
    .target(name: "LogWords"),
    .target(name: "MainActorCalls", swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(
      name: "ThreadAffinity",
      dependencies: ["CQueueState", "CRuntime", "CRuntimeFacts", "MainActorCalls"]),
    .target(
      name: "Breadcrumbs",
      dependencies: [
        "ThreadAffinity", "CQueueState", "CRuntime", "CBreadcrumbLog", "CProcessWatch",
        "CStackWalk", "LogWords",
      ]),
    .target(
      name: "CCrashHandler",
      dependencies: [
        "CBreadcrumbLog", "CProcessWatch", "CQueueState", "CRuntime", "CRuntimeFacts", "CStackWalk",
      ],
      cSettings: [.define("_GNU_SOURCE")]),
    .target(
      name: "CrashCapture", dependencies: ["Breadcrumbs", "CCrashHandler", "CRuntime", "LogWords"]),
    .target(name: "BreadcrumbNotifications", dependencies: ["Breadcrumbs"]),
    .target(
      name: "CBlockingCalls",
      dependencies: ["CProcessWatch", "CQueueState", "CRuntime", "CRuntimeFacts", "CStackWalk"],
      exclude: ["Preloaded"], cSettings: [.define("_GNU_SOURCE")]),
    .target(
      name: "BlockingCalls", dependencies: ["Breadcrumbs", "CBlockingCalls", "CProcessWatch"]),
    .target(
      name: "CToolkitCalls",
      dependencies: ["CBreadcrumbLog", "CQueueState", "CRuntimeFacts", "CStackWalk"],
      exclude: ["Preloaded"],
      cSettings: [.define("_GNU_SOURCE")]),
    .target(name: "Mainstay", dependencies: ["Breadcrumbs", "CrashCapture", "ThreadAffinity"]),

    // Writes shims for whole protocols.
    .executableTarget(name: "HopShimGenerator"),
    .plugin(
      name: "GenerateHopShim",
      capability: .command(
        intent: .custom(
          verb: "generate-hop-shim",
          description: "Write a class that conforms to a protocol and hops all it requires"),
        permissions: [
          .writeToPackageDirectory(reason: "The shim becomes a source file of the package.")
        ]),
      dependencies: ["HopShimGenerator"]),

    // The analysing half: reads what the recording half left.
    .target(name: "IncidentModel", dependencies: ["LogWords"]),
    .target(
      name: "BreadcrumbLog", dependencies: ["IncidentModel", "CBreadcrumbLog", "CRuntimeFacts"]),
    .target(
      name: "CDwarf", linkerSettings: [.linkedLibrary("dw"), .linkedLibrary("elf")]),
    .target(name: "CDemangle", linkerSettings: [.linkedLibrary("stdc++")]),
    .target(name: "Demangling", dependencies: ["CDemangle"]),
    .target(name: "Symbolication", dependencies: ["IncidentModel", "CDwarf", "Demangling"]),
    .target(name: "CJSON", linkerSettings: [.linkedLibrary("simdjson")]),
    .target(name: "CReportScan"),
    .target(
      name: "CrashReports",
      dependencies: ["IncidentModel", "LogWords", "Demangling", "CJSON", "CReportScan"]),
    .target(name: "CrashAnalysis", dependencies: ["IncidentModel", "LogWords"]),
    .target(
      name: "CReportPage", exclude: ["Page"], cSettings: [.headerSearchPath("Page")]),
    .target(name: "TextOutput"),
    // What `crashscan run` has the loader put in front of a toolkit.
    .target(name: "ToolkitLists", exclude: ["Calls", "Reviewed"]),
    .target(
      name: "Reporting",
      dependencies: ["IncidentModel", "LogWords", "CrashAnalysis", "CReportPage", "TextOutput"]),
    .target(
      name: "CrumbViews",
      dependencies: ["IncidentModel", "LogWords", "CrashAnalysis", "TextOutput"]),
    // Reads what earlier runs left, in the service that comes after them.
    .target(
      name: "PastDeaths",
      dependencies: ["BreadcrumbLog", "CProcessWatch", "CrumbViews", "IncidentModel"]),
    .executableTarget(
      name: "crashscan",
      dependencies: [
        "IncidentModel", "LogWords", "BreadcrumbLog", "CrashReports", "Symbolication",
        "CrashAnalysis",
        "Reporting", "CrumbViews", "TextOutput", "ToolkitLists",
      ]),

    // Both halves together, for the tests of whoever uses the recording one.
    .target(
      name: "CTestProcess", dependencies: ["CStackWalk"], cSettings: [.define("_GNU_SOURCE")]),
    .target(
      name: "AffinityTesting",
      dependencies: [
        "BlockingCalls", "CTestProcess", "CRuntime", "CStackWalk", "ThreadAffinity",
        "Breadcrumbs", "CrashCapture", "IncidentModel", "BreadcrumbLog", "Symbolication",
        "CrashAnalysis", "Reporting", "TextOutput",
      ]),

    // Programs that tests run.
    .executableTarget(
      name: "torture", dependencies: ["Breadcrumbs", "BreadcrumbLog", "IncidentModel"],
      path: "Tests/Programs/Torture"),
    .target(name: "CTrials", path: "Tests/Programs/RecorderTrials/CTrials"),
    .executableTarget(
      name: "recorder-trial", dependencies: ["Breadcrumbs", "CTrials"],
      path: "Tests/Programs/RecorderTrials/Trial"),
    .testTarget(
      name: "BreadcrumbsTests",
      dependencies: [
        "Breadcrumbs", "BreadcrumbNotifications", "BreadcrumbLog", "CBreadcrumbLog",
        "CStackWalk", "IncidentModel", "LogWords", "ProcessTesting", "ThreadAffinity",
        "torture", "recorder-trial",
      ], path: "Tests/Unit/BreadcrumbsTests"),
    .executableTarget(
      name: "mainstay-trial", dependencies: ["Mainstay"], path: "Tests/Programs/MainstayTrial"),
    .testTarget(
      name: "MainstayTests",
      dependencies: [
        "BreadcrumbLog", "CRuntimeFacts", "IncidentModel", "ProcessTesting", "crashscan",
        "mainstay-trial",
      ], path: "Tests/Unit/MainstayTests"),
    .executableTarget(
      name: "past-deaths-trial", dependencies: ["Mainstay", "PastDeaths"],
      path: "Tests/Programs/PastDeathsTrial"),
    .testTarget(
      name: "PastDeathsTests",
      dependencies: [
        "Breadcrumbs", "HostileLogs", "PastDeaths", "ProcessTesting", "crashscan",
        "mainstay-trial", "past-deaths-trial", "victim",
      ], path: "Tests/Unit/PastDeathsTests"),
    .testTarget(
      name: "InterfaceTests",
      dependencies: [
        "AffinityTesting", "BlockingCalls", "BreadcrumbNotifications", "Breadcrumbs",
        "CrashCapture",
        "Mainstay", "PastDeaths", "ProcessTesting", "ThreadAffinity",
      ], path: "Tests/Unit/InterfaceTests", exclude: ["Calls", "Documents"]),
    .testTarget(
      name: "BreadcrumbLogTests",
      dependencies: [
        "Breadcrumbs", "BreadcrumbLog", "CBreadcrumbLog", "HostileLogs", "IncidentModel", "torture",
      ], path: "Tests/Unit/BreadcrumbLogTests"),
    .testTarget(
      name: "ToolkitListsTests", dependencies: ["ProcessTesting", "ToolkitLists"],
      path: "Tests/Unit/ToolkitListsTests"),
    .testTarget(
      name: "CrashscanTests",
      dependencies: [
        "crashscan", "Reporting", "CrumbViews", "TextOutput", "BreadcrumbLog", "IncidentModel",
        "Breadcrumbs", "ProcessTesting",
        "ThreadAffinity", "victim",
      ], path: "Tests/Unit/CrashscanTests"),
    .testTarget(
      name: "SymbolicationTests",
      dependencies: ["IncidentModel", "CDwarf", "Demangling", "ProcessTesting", "Symbolication"],
      path: "Tests/Unit/SymbolicationTests"),
    // Walks, compared with libunwind's.
    .target(
      name: "CWalkSubjects", dependencies: ["CStackWalk"],
      path: "Tests/Programs/WalkSubjects/CWalkSubjects", cSettings: [.define("_GNU_SOURCE")]),
    .target(
      name: "WalkSubjects", dependencies: ["CWalkSubjects"],
      path: "Tests/Programs/WalkSubjects/WalkSubjects"),
    .testTarget(
      name: "CStackWalkTests", dependencies: ["CWalkSubjects", "CStackWalk", "WalkSubjects"],
      path: "Tests/Unit/CStackWalkTests"),
    // Tasks that write down who called whom, to be compared with their stacks.
    .target(
      name: "CShadow", dependencies: ["CStackWalk"], path: "Tests/Checks/AsyncTruth/CShadow",
      cSettings: [.define("_GNU_SOURCE")]),
    .executableTarget(
      name: "async-truth",
      dependencies: ["BreadcrumbLog", "Breadcrumbs", "CShadow", "IncidentModel"],
      path: "Tests/Checks/AsyncTruth/Program"),
    // The truth table: each row a process of one of these, or of the tests themselves.
    .target(name: "CTruth", path: "Tests/Programs/TruthTable/CTruth"),
    .target(
      name: "TruthTable", dependencies: ["CTruth", "ThreadAffinity"],
      path: "Tests/Programs/TruthTable/Contexts"),
    .executableTarget(
      name: "truth-row", dependencies: ["TruthTable"], path: "Tests/Programs/TruthTable/SyncMain"),
    .executableTarget(
      name: "truth-row-async", dependencies: ["SwiftFive", "TruthTable"],
      path: "Tests/Programs/TruthTable/AsyncMain"),

    // Programs that tests run to their end, and the runner.
    .target(
      name: "CProcessTesting", path: "Tests/CProcessTesting", cSettings: [.define("_GNU_SOURCE")]),
    .target(
      name: "ProcessTesting", dependencies: ["CProcessTesting"], path: "Tests/ProcessTesting"),
    .executableTarget(
      name: "queue-fuzz", dependencies: ["CQueueState"], path: "Tests/Programs/QueueFuzz",
      linkerSettings: [.linkedLibrary("dispatch")]),
    .executableTarget(
      name: "queue-impostor", dependencies: ["CQueueState"], path: "Tests/Programs/QueueImpostor",
      linkerSettings: [.linkedLibrary("dispatch")]),
    .executableTarget(
      name: "affinity-child", dependencies: ["CQueueState", "SwiftFive", "ThreadAffinity"],
      path: "Tests/Programs/AffinityChild"),
    // Code of the time before strict concurrency, which hops all the same.
    .target(
      name: "SwiftFive", dependencies: ["ThreadAffinity"], path: "Tests/Programs/SwiftFive",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // Callbacks that really arrive off the main queue, and a program that records them.
    .target(name: "RealCases", path: "Tests/Programs/RealCases"),
    .executableTarget(
      name: "affinity-records", dependencies: ["Breadcrumbs", "RealCases", "ThreadAffinity"],
      path: "Tests/Programs/AffinityRecords"),
    .testTarget(
      name: "CQueueStateTests",
      dependencies: ["CQueueState", "ProcessTesting", "queue-fuzz", "queue-impostor"],
      path: "Tests/Unit/CQueueStateTests"),
    .testTarget(
      name: "ThreadAffinityTests",
      dependencies: [
        "BreadcrumbLog", "IncidentModel", "ProcessTesting", "RealCases", "Symbolication",
        "ThreadAffinity", "TruthTable", "affinity-child", "affinity-records", "truth-row",
        "truth-row-async",
      ], path: "Tests/Unit/ThreadAffinityTests"),

    // Protocols with every hard feature, the shims written for them, and what these do.
    .target(name: "ShimmedProtocols", path: "Tests/Unit/HopShimTests/Protocols"),
    .testTarget(
      name: "HopShimTests",
      dependencies: ["HopShimGenerator", "ProcessTesting", "ShimmedProtocols", "ThreadAffinity"],
      path: "Tests/Unit/HopShimTests", exclude: ["Protocols", "client"]),

    // Programs that die in every way, and what is checked of each death.
    .target(
      name: "CVictims", dependencies: ["CBreadcrumbLog", "CQueueState"],
      path: "Tests/Programs/Victims/CVictims",
      cSettings: [.define("_GNU_SOURCE")]),
    .executableTarget(
      name: "victim", dependencies: ["Breadcrumbs", "CrashCapture", "CCrashHandler", "CVictims"],
      path: "Tests/Programs/Victims/victim"),
    // Tasks that wait, and ends in the midst of it.
    .executableTarget(
      name: "waiting", dependencies: ["Breadcrumbs", "CCrashHandler", "CrashCapture"],
      path: "Tests/Programs/Waiting"),
    // What is watched, and hangs or does not.
    .executableTarget(
      name: "watching", dependencies: ["Breadcrumbs", "CCrashHandler", "CrashCapture"],
      path: "Tests/Programs/Watching"),
    .target(
      name: "VictimTrials",
      dependencies: ["BreadcrumbLog", "IncidentModel", "ProcessTesting", "Symbolication"],
      path: "Tests/Programs/Victims/VictimTrials"),
    .executableTarget(
      name: "victims", dependencies: ["VictimTrials"], path: "Tests/Programs/Victims/victims-table"),
    .testTarget(
      name: "CrashCaptureTests",
      dependencies: [
        "Breadcrumbs",
        "BreadcrumbLog", "CBreadcrumbLog", "CrashCapture", "IncidentModel", "ProcessTesting",
        "CVictims", "VictimTrials", "victim", "waiting", "watching",
      ], path: "Tests/Unit/CrashCaptureTests"),

    // Calls that block, and what only seems to.
    .executableTarget(
      name: "blocking", dependencies: ["BlockingCalls", "Breadcrumbs", "ThreadAffinity"],
      path: "Tests/Programs/Blocking"),
    .testTarget(
      name: "BlockingCallsTests",
      dependencies: [
        "BreadcrumbLog", "IncidentModel", "LogWords", "ProcessTesting", "blocking", "crashscan",
      ], path: "Tests/Unit/BlockingCallsTests"),

    .testTarget(
      name: "AffinityTestingTests",
      dependencies: [
        "AffinityTesting", "BlockingCalls", "CProcessTesting", "ThreadAffinity", "Breadcrumbs",
        "ProcessTesting", "crashscan", "misbehave",
      ], path: "Tests/Unit/AffinityTestingTests"),

    // Programs with a threading bug each, and the tests that a user would write of them.
    .target(
      name: "BugBank", dependencies: ["ThreadAffinity"], path: "Tests/Checks/BugBank/Programs"),
    .testTarget(
      name: "BugBankTests",
      dependencies: ["AffinityTesting", "Breadcrumbs", "BugBank", "ProcessTesting"],
      path: "Tests/Checks/BugBank/Tests"),
    .executableTarget(
      name: "bank-recording", dependencies: ["BugBank", "Mainstay"],
      path: "Tests/Checks/BugBank/Recording"),

    // Programs that misbehave in one named way each, and what the analysis says of them.
    .executableTarget(
      name: "misbehave",
      dependencies: [
        "BlockingCalls", "ThreadAffinity", "Breadcrumbs", "CrashCapture", "CCrashHandler",
      ],
      path: "Tests/Programs/Misbehave"),
    .testTarget(
      name: "CrashAnalysisTests",
      dependencies: [
        "IncidentModel", "BreadcrumbLog", "CBreadcrumbLog", "Symbolication", "CrashAnalysis",
        "HostileLogs", "ProcessTesting", "misbehave",
      ], path: "Tests/Unit/CrashAnalysisTests"),
    // A service that does what it is told, for those who look on.
    .executableTarget(
      name: "driven-service",
      dependencies: ["ThreadAffinity", "Breadcrumbs", "CrashCapture", "CCrashHandler"],
      path: "Tests/Programs/DrivenService"),
    // A service of which a fleet runs several releases, each with faults of its own.
    .executableTarget(
      name: "fleet-service", dependencies: ["ThreadAffinity", "Breadcrumbs", "CrashCapture"],
      path: "Tests/Programs/FleetService"),
    // Reports of other people's making, what each shows, and how rightly they are judged.
    .target(
      name: "ReportTrials",
      dependencies: ["IncidentModel", "CrashReports", "CrashAnalysis", "ProcessTesting"],
      path: "Tests/Checks/ReportAccuracy/ReportTrials"),
    .executableTarget(
      name: "report-accuracy", dependencies: ["ReportTrials"],
      path: "Tests/Checks/ReportAccuracy/Command"),
    .testTarget(
      name: "CrashReportsTests",
      dependencies: [
        "ReportTrials", "CrashReports", "CrashAnalysis", "IncidentModel", "ProcessTesting",
        "crashscan", "misbehave",
      ], path: "Tests/Unit/CrashReportsTests"),
    // Scenes for the page with the timeline.
    .executableTarget(
      name: "timeline-scene", dependencies: ["ThreadAffinity", "Breadcrumbs", "CrashCapture"],
      path: "Tests/Programs/TimelineScenes"),
    // Logs that somebody has tampered with, and what crashscan makes of them.
    .target(
      name: "HostileLogs", dependencies: ["CBreadcrumbLog", "CrashAnalysis", "IncidentModel"],
      path: "Tests/Checks/Hostile/HostileLogs"),
    .executableTarget(
      name: "hostile",
      dependencies: [
        "HostileLogs", "IncidentModel", "BreadcrumbLog", "Symbolication", "CrashAnalysis",
        "Reporting", "CrumbViews", "TextOutput",
      ], path: "Tests/Checks/Hostile/Command"),
    .testTarget(
      name: "ReportingTests",
      dependencies: [
        "IncidentModel", "BreadcrumbLog", "CrashAnalysis", "LogWords", "Reporting", "CrumbViews",
        "TextOutput", "ProcessTesting", "HostileLogs", "misbehave", "crashscan",
      ], path: "Tests/Unit/ReportingTests"),
  ],
  cLanguageStandard: .gnu17,
  cxxLanguageStandard: .gnucxx17
)

// The readers of reports, fed by libFuzzer, which brings `main` with it: no other build has this program.
if Context.environment["MAINSTAY_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzz-reports", dependencies: ["CrashReports", "CrashAnalysis"],
      path: "Tests/Checks/Fuzz"))
}
