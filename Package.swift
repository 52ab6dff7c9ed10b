// swift-tools-version: 6.0
import PackageDescription

/// A target in a room, which is a folder of Sources.
func target(
  _ name: String, in room: String, _ dependencies: [Target.Dependency] = [],
  exclude: [String] = [], c: [CSetting]? = nil, linking libraries: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(room)/\(name)", exclude: exclude,
    cSettings: c, linkerSettings: libraries.map { .linkedLibrary($0) })
}

let gnu: [CSetting] = [.define("_GNU_SOURCE")]
// In a debug build, an environment variable denies facts, as tests do.
let deny: [CSetting] = [.define("MS_DENY_FACTS", .when(configuration: .debug))]
// `make install` and `make package` set the commit, for `crashscan --version`.
let commit: [CSetting] =
  Context.environment["MAINSTAY_COMMIT"].map { [.define("MAINSTAY_COMMIT", to: $0)] } ?? []

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
    .library(name: "CrashTesting", targets: ["CrashTesting"]),
    .library(name: "PastDeaths", targets: ["PastDeaths"]),
    .executable(name: "crashscan", targets: ["crashscan"]),
    .plugin(name: "GenerateHopShim", targets: ["GenerateHopShim"]),
  ],
  targets: [
    // The recording half, which lives inside a service.
    target("CLogFormat", in: "Recorder"),
    target("CRecorder", in: "Recorder", ["CLogFormat"], c: gnu + deny),
    target("Breadcrumbs", in: "Recorder", ["CRecorder", "ThreadAffinity"]),
    target("BreadcrumbNotifications", in: "Recorder", ["Breadcrumbs"]),
    .target(
      name: "MainActorCalls", path: "Sources/Affinity/MainActorCalls",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    target("ThreadAffinity", in: "Affinity", ["CRecorder", "MainActorCalls"]),
    target("CCrashHandler", in: "Crash", ["CRecorder"], c: gnu),
    target("CrashCapture", in: "Crash", ["Breadcrumbs", "CCrashHandler", "CRecorder"]),
    target("Mainstay", in: "Crash", ["Breadcrumbs", "CrashCapture", "ThreadAffinity"]),
    // What only `crashscan run` preloads is built by scripts/preload.
    target(
      "CInterposers", in: "Interposers", ["CRecorder"],
      exclude: ["isolation", "preload", "toolkit"], c: gnu),
    target("BlockingCalls", in: "Interposers", ["Breadcrumbs", "CInterposers", "CRecorder"]),

    // The analysing half, which reads what the recording half left.
    target("IncidentModel", in: "Analysis", ["CLogFormat"]),
    target("LogReading", in: "Inputs", ["CLogFormat", "IncidentModel"]),
    target("CReportText", in: "Inputs", linking: ["simdjson"]),
    target(
      "ReportReading", in: "Inputs",
      ["CLogFormat", "CReportText", "IncidentModel", "Symbolication"]),
    target("CProcessMemory", in: "Inputs", c: gnu, linking: ["dw", "elf"]),
    target("ProcessReading", in: "Inputs", ["CProcessMemory", "IncidentModel", "Symbolication"]),
    target("CSymbols", in: "Symbols", linking: ["dw", "elf", "stdc++"]),
    target("CMachineCode", in: "Symbols", linking: ["capstone"]),
    target("Symbolication", in: "Symbols", ["CSymbols", "IncidentModel"]),
    target("CrashAnalysis", in: "Analysis", ["CLogFormat", "IncidentModel"]),
    target("TextOutput", in: "crashscan"),
    target(
      "DeathRecords", in: "crashscan",
      ["CLogFormat", "CrashAnalysis", "IncidentModel", "TextOutput"]),
    .target(
      name: "CReportPage", path: "Sources/crashscan/CReportPage", exclude: ["Page"],
      cSettings: [.headerSearchPath("Page")] + commit),
    target(
      "CrashscanOutput", in: "crashscan",
      ["CLogFormat", "CReportPage", "CrashAnalysis", "DeathRecords", "IncidentModel", "TextOutput"]),
    target(
      "IsolationAudit", in: "crashscan",
      ["CLogFormat", "CMachineCode", "CrashAnalysis", "IncidentModel", "Symbolication"]),
    target("TestRuns", in: "crashscan", ["ProcessReading", "TextOutput"]),
    .executableTarget(
      name: "crashscan",
      dependencies: [
        "CLogFormat", "CReportPage", "CrashAnalysis", "CrashscanOutput", "DeathRecords",
        "IncidentModel", "IsolationAudit", "LogReading", "ProcessReading", "ReportReading",
        "Symbolication",
        "TestRuns", "TextOutput",
      ], path: "Sources/crashscan/crashscan"),
    // Reads the logs of earlier runs, in the service that comes after them.
    target(
      "PastDeaths", in: "Crash", ["CRecorder", "DeathRecords", "IncidentModel", "LogReading"]),

    // For the tests of a service: the recording half, and what adds the analysing half.
    target("CTestProcess", in: "Testing", ["CRecorder"], c: gnu),
    target(
      "AffinityTesting", in: "Testing",
      [
        "BlockingCalls", "Breadcrumbs", "CRecorder", "CTestProcess", "CrashCapture",
        "ThreadAffinity",
      ]),
    target(
      "CrashTesting", in: "Testing",
      [
        "AffinityTesting", "CrashAnalysis", "CrashscanOutput", "IncidentModel", "LogReading",
        "Symbolication", "TextOutput",
      ]),
    .executableTarget(name: "HopShimGenerator", path: "Sources/Testing/HopShimGenerator"),
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
  ],
  cLanguageStandard: .gnu17,
  cxxLanguageStandard: .gnucxx17
)

// The tests of Mainstay itself and the programs that they run. `make` sets the variable; a package that depends on
// Mainstay never sees them.
if Context.environment["MAINSTAY_CHECKS"] != nil {
  package.targets += [
    // Programs that tests run.
    .executableTarget(
      name: "torture", dependencies: ["Breadcrumbs", "LogReading", "IncidentModel"],
      path: "Tests/Programs/Torture"),
    .target(name: "CTrials", path: "Tests/Programs/RecorderTrials/CTrials"),
    .executableTarget(
      name: "recorder-trial", dependencies: ["Breadcrumbs", "CTrials"],
      path: "Tests/Programs/RecorderTrials/Trial"),
    .testTarget(
      name: "BreadcrumbsTests",
      dependencies: [
        "Breadcrumbs", "BreadcrumbNotifications", "LogReading", "CLogFormat", "CRecorder",
        "IncidentModel",
        "ProcessTesting", "ThreadAffinity", "torture", "recorder-trial",
      ], path: "Tests/Unit/BreadcrumbsTests"),
    .executableTarget(
      name: "mainstay-trial", dependencies: ["CProcessTesting", "Mainstay"],
      path: "Tests/Programs/MainstayTrial"),
    .testTarget(
      name: "MainstayTests",
      dependencies: [
        "CLogFormat", "CRecorder", "LogReading", "IncidentModel", "ProcessTesting", "crashscan",
        "mainstay-trial",
      ], path: "Tests/Unit/MainstayTests"),
    .executableTarget(
      name: "past-deaths-trial", dependencies: ["Mainstay", "PastDeaths"],
      path: "Tests/Programs/PastDeathsTrial"),
    .testTarget(
      name: "PastDeathsTests",
      dependencies: [
        "Breadcrumbs", "HostileLogs", "PastDeaths", "ProcessTesting", "crashscan", "mainstay-trial",
        "past-deaths-trial", "victim",
      ], path: "Tests/Unit/PastDeathsTests"),
    .testTarget(
      name: "InterfaceTests",
      dependencies: [
        "AffinityTesting", "BlockingCalls", "BreadcrumbNotifications", "Breadcrumbs",
        "CrashCapture", "CrashTesting", "Mainstay", "PastDeaths", "ProcessTesting",
        "ThreadAffinity",
      ], path: "Tests/Unit/InterfaceTests", exclude: ["Calls", "Documents"]),
    .testTarget(
      name: "LogReadingTests",
      dependencies: [
        "Breadcrumbs", "CLogFormat", "LogReading", "CRecorder", "HostileLogs", "IncidentModel",
        "torture",
      ], path: "Tests/Unit/LogReadingTests"),
    .testTarget(
      name: "ToolkitListsTests", dependencies: ["ProcessTesting", "crashscan"],
      path: "Tests/Unit/ToolkitListsTests"),
    .testTarget(
      name: "IsolationAuditTests",
      dependencies: [
        "CMachineCode", "IsolationAudit", "ProcessTesting", "affinity-child", "crashscan",
      ],
      path: "Tests/Unit/IsolationAuditTests", exclude: ["Audited", "Soft"]),
    .testTarget(
      name: "TestRunsTests", dependencies: ["ProcessTesting", "TestRuns", "crashscan"],
      path: "Tests/Unit/TestRunsTests"),
    .testTarget(
      name: "CrashscanTests",
      dependencies: [
        "crashscan", "CrashscanOutput", "TextOutput", "LogReading", "IncidentModel", "Breadcrumbs",
        "ProcessTesting", "ThreadAffinity", "victim",
      ], path: "Tests/Unit/CrashscanTests"),
    .testTarget(
      name: "SymbolicationTests",
      dependencies: ["IncidentModel", "CSymbols", "Symbolication", "ProcessTesting"],
      path: "Tests/Unit/SymbolicationTests"),
    // Walks, compared with libunwind's.
    .target(
      name: "CWalkSubjects", dependencies: ["CRecorder"],
      path: "Tests/Programs/WalkSubjects/CWalkSubjects", cSettings: [.define("_GNU_SOURCE")]),
    .target(
      name: "WalkSubjects", dependencies: ["CWalkSubjects"],
      path: "Tests/Programs/WalkSubjects/WalkSubjects"),
    .testTarget(
      name: "CRecorderWalkTests", dependencies: ["CWalkSubjects", "CRecorder", "WalkSubjects"],
      path: "Tests/Unit/CRecorderWalkTests"),
    // Tasks that write down who called whom, to be compared with their stacks.
    .target(
      name: "CShadow", dependencies: ["CRecorder"], path: "Tests/Checks/AsyncTruth/CShadow",
      cSettings: [.define("_GNU_SOURCE")]),
    .executableTarget(
      name: "async-truth",
      dependencies: ["LogReading", "Breadcrumbs", "CShadow", "IncidentModel"],
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
      name: "queue-fuzz", dependencies: ["CRecorder"], path: "Tests/Programs/QueueFuzz",
      linkerSettings: [.linkedLibrary("dispatch")]),
    .executableTarget(
      name: "queue-impostor", dependencies: ["CRecorder"], path: "Tests/Programs/QueueImpostor",
      linkerSettings: [.linkedLibrary("dispatch")]),
    .executableTarget(
      name: "affinity-child", dependencies: ["CRecorder", "SwiftFive", "ThreadAffinity"],
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
      name: "CRecorderQueueTests",
      dependencies: ["CRecorder", "ProcessTesting", "queue-fuzz", "queue-impostor"],
      path: "Tests/Unit/CRecorderQueueTests"),
    .testTarget(
      name: "ThreadAffinityTests",
      dependencies: [
        "LogReading", "IncidentModel", "ProcessTesting", "RealCases", "Symbolication",
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
      name: "CVictims", dependencies: ["CRecorder"],
      path: "Tests/Programs/Victims/CVictims",
      cSettings: [.define("_GNU_SOURCE")]),
    .executableTarget(
      name: "victim", dependencies: ["Breadcrumbs", "CrashCapture", "CCrashHandler", "CVictims"],
      path: "Tests/Programs/Victims/victim"),
    // Tasks that wait, and ends in the midst of it.
    .executableTarget(
      name: "waiting",
      dependencies: ["Breadcrumbs", "CCrashHandler", "CRecorder", "CVictims", "CrashCapture"],
      path: "Tests/Programs/Waiting"),
    // What is watched, and hangs or does not.
    .executableTarget(
      name: "watching",
      dependencies: ["Breadcrumbs", "CCrashHandler", "CRecorder", "CrashCapture"],
      path: "Tests/Programs/Watching"),
    .target(
      name: "VictimTrials",
      dependencies: ["LogReading", "IncidentModel", "ProcessTesting", "Symbolication"],
      path: "Tests/Programs/Victims/VictimTrials"),
    .executableTarget(
      name: "victims", dependencies: ["VictimTrials"], path: "Tests/Programs/Victims/victims-table"),
    .testTarget(
      name: "CrashCaptureTests",
      dependencies: [
        "Breadcrumbs", "LogReading", "CRecorder", "CrashCapture", "IncidentModel", "ProcessTesting",
        "CVictims", "VictimTrials", "victim", "waiting", "watching",
      ], path: "Tests/Unit/CrashCaptureTests"),

    // Calls that block, and what only seems to.
    .executableTarget(
      name: "blocking", dependencies: ["BlockingCalls", "Breadcrumbs", "ThreadAffinity"],
      path: "Tests/Programs/Blocking"),
    .testTarget(
      name: "BlockingCallsTests",
      dependencies: [
        "CLogFormat", "LogReading", "IncidentModel", "ProcessTesting", "blocking", "crashscan",
      ], path: "Tests/Unit/BlockingCallsTests"),

    // A program that tests with AffinityTesting alone.
    .executableTarget(
      name: "affinity-bundle", dependencies: ["AffinityTesting", "ThreadAffinity"],
      path: "Tests/Programs/AffinityBundle"),
    .testTarget(
      name: "AffinityTestingTests",
      dependencies: [
        "AffinityTesting", "BlockingCalls", "CProcessTesting", "CrashTesting", "ThreadAffinity",
        "Breadcrumbs", "ProcessTesting", "affinity-bundle", "crashscan", "misbehave",
      ], path: "Tests/Unit/AffinityTestingTests"),

    // Programs with a threading bug each, and the tests that a user would write of them.
    .target(
      name: "BugBank", dependencies: ["ThreadAffinity"], path: "Tests/Checks/BugBank/Programs"),
    .testTarget(
      name: "BugBankTests",
      dependencies: [
        "AffinityTesting", "Breadcrumbs", "BugBank", "CrashTesting", "ProcessTesting",
      ],
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
        "CLogFormat", "IncidentModel", "LogReading", "CRecorder", "Symbolication", "CrashAnalysis",
        "HostileLogs", "ProcessTesting", "misbehave", "waiting",
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
      dependencies: ["IncidentModel", "ReportReading", "CrashAnalysis", "ProcessTesting"],
      path: "Tests/Checks/ReportAccuracy/ReportTrials"),
    .executableTarget(
      name: "report-accuracy", dependencies: ["ReportTrials"],
      path: "Tests/Checks/ReportAccuracy/Command"),
    .testTarget(
      name: "ReportReadingTests",
      dependencies: [
        "ReportTrials", "ReportReading", "CrashAnalysis", "IncidentModel", "ProcessTesting",
        "crashscan", "misbehave",
      ], path: "Tests/Unit/ReportReadingTests"),
    // A process to be looked at from outside.
    .executableTarget(
      name: "subject", dependencies: ["Breadcrumbs", "ProcessReading"],
      path: "Tests/Programs/Subject"),
    .testTarget(
      name: "ProcessReadingTests",
      dependencies: [
        "CrashAnalysis", "IncidentModel", "ProcessReading", "ProcessTesting", "crashscan",
        "subject",
      ], path: "Tests/Unit/ProcessReadingTests"),
    // Tasks of known state, programs that are stuck, and what a scan from outside says of them.
    .executableTarget(name: "task-truth", path: "Tests/Programs/TaskTruth"),
    .executableTarget(name: "stuck-tasks", path: "Tests/Programs/StuckTasks"),
    .testTarget(
      name: "TaskScanTests",
      dependencies: [
        "CProcessMemory", "CrashAnalysis", "IncidentModel", "ProcessReading", "ProcessTesting",
        "Symbolication", "stuck-tasks", "task-truth",
      ], path: "Tests/Unit/TaskScanTests"),
    // Scenes for the page with the timeline.
    .executableTarget(
      name: "timeline-scene", dependencies: ["ThreadAffinity", "Breadcrumbs", "CrashCapture"],
      path: "Tests/Programs/TimelineScenes"),
    // Logs that somebody has tampered with, and what crashscan makes of them.
    .target(
      name: "HostileLogs",
      dependencies: ["CLogFormat", "CRecorder", "CrashAnalysis", "IncidentModel"],
      path: "Tests/Checks/Hostile/HostileLogs"),
    .executableTarget(
      name: "hostile",
      dependencies: [
        "CrashAnalysis", "CrashscanOutput", "DeathRecords", "HostileLogs", "IncidentModel",
        "LogReading",
        "Symbolication", "TextOutput",
      ], path: "Tests/Checks/Hostile/Command"),
    .testTarget(
      name: "CrashscanOutputTests",
      dependencies: [
        "CLogFormat", "CrashAnalysis", "CrashscanOutput", "DeathRecords", "HostileLogs",
        "IncidentModel", "LogReading", "ProcessTesting", "TextOutput", "crashscan", "misbehave",
      ], path: "Tests/Unit/CrashscanOutputTests"),
  ]
}

// The readers of reports, fed by libFuzzer, which brings `main` with it: no other build has this program.
if Context.environment["MAINSTAY_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzz-reports", dependencies: ["CrashAnalysis", "ReportReading"],
      path: "Tests/Checks/Fuzz", exclude: ["fuzz"]))
}
