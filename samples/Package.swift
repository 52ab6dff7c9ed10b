// swift-tools-version: 6.0
import PackageDescription

let recording: [Target.Dependency] = [
  .product(name: "ThreadAffinity", package: "mainstay"),
  .product(name: "Breadcrumbs", package: "mainstay"),
]
let capture: Target.Dependency = .product(name: "CrashCapture", package: "mainstay")
let testing: Target.Dependency = .product(name: "AffinityTesting", package: "mainstay")
/// Tests that expect crashes or forbid findings.
let crashTesting: Target.Dependency = .product(name: "CrashTesting", package: "mainstay")

/// A sample in a folder of its own: the system as a library, the program that shows it work or
/// crash, and the tests that reproduce its bug and show the fix.
func sample(
  _ name: String, program: String, libraries: [Target.Dependency] = [],
  resources: [Resource] = []
) -> [Target] {
  [
    .target(
      name: name, dependencies: ["HeadlessUI", "SampleSupport"] + recording + libraries,
      path: "\(name)/Sources/\(name)", resources: resources),
    .executableTarget(
      name: program,
      dependencies: [.init(stringLiteral: name), "HeadlessUI", "SampleStage", "SampleSupport"]
        + libraries,
      path: "\(name)/Sources/\(program)"),
    .testTarget(
      name: "\(name)Tests",
      dependencies: [
        .init(stringLiteral: name), "HeadlessUI", "SampleSupport", testing, crashTesting,
      ] + recording + libraries,
      path: "\(name)/Tests/\(name)Tests"),
  ]
}

let stage: [Target] = [
  .target(name: "HeadlessUI", dependencies: recording, path: "HeadlessUI/Sources/HeadlessUI"),
  .testTarget(
    name: "HeadlessUITests", dependencies: ["HeadlessUI", testing, crashTesting] + recording,
    path: "HeadlessUI/Tests/HeadlessUITests"),
  .target(
    name: "SampleStage", dependencies: ["HeadlessUI"] + recording + [capture],
    path: "HeadlessUI/Sources/SampleStage"),
  .testTarget(
    name: "SampleStageTests", dependencies: ["SampleStage"],
    path: "HeadlessUI/Tests/SampleStageTests"),
]

/// What the samples have in common, a real HTTP server among it.
let support: [Target] = [
  .target(name: "SampleSupport", path: "SampleSupport/Sources/SampleSupport"),
  .testTarget(
    name: "SampleSupportTests", dependencies: ["SampleSupport", "LoopbackHTTP"],
    path: "SampleSupport/Tests/SampleSupportTests"),
  .target(name: "LoopbackHTTP", path: "LoopbackHTTP/Sources/LoopbackHTTP"),
  .testTarget(
    name: "LoopbackHTTPTests", dependencies: ["LoopbackHTTP"],
    path: "LoopbackHTTP/Tests/LoopbackHTTPTests"),
]

/// The sample Sites, its server, and what draws its images and reads its web pages by libraries that it
/// alone links.
///
/// pkg-config's flags for librsvg hold one that SwiftPM refuses, so the folders stand here, those of
/// each system.
let sites: [Target] =
  sample(
    "Sites", program: "sites-app",
    libraries: ["CSiteImages", "CWebPages", "SitesServer", "LoopbackHTTP"],
    resources: [.copy("Resources")])
  + [
    .target(
      name: "SitesServer", dependencies: ["LoopbackHTTP"], path: "Sites/Sources/SitesServer"),
    .target(
      name: "CSiteImages", path: "Sites/Sources/CSiteImages",
      cSettings: [
        .unsafeFlags(
          [
            "include/librsvg-2.0", "include/gdk-pixbuf-2.0", "include/cairo", "include/glib-2.0",
            "lib/x86_64-linux-gnu/glib-2.0/include", "lib/aarch64-linux-gnu/glib-2.0/include",
            "lib64/glib-2.0/include",
          ].map { "-I/usr/\($0)" })
      ],
      linkerSettings: ["rsvg-2", "gdk_pixbuf-2.0", "gobject-2.0", "glib-2.0", "cairo"].map {
        .linkedLibrary($0)
      }),
    .target(
      name: "CWebPages", path: "Sites/Sources/CWebPages",
      cSettings: [.unsafeFlags(["-I/usr/include/libxml2"])],
      linkerSettings: [.linkedLibrary("xml2")]),
  ]

/// The sample Operations, and the JavaScript engine that it alone links.
let operations: [Target] =
  sample(
    "Operations", program: "operations-app", libraries: ["CScriptEngine"],
    resources: [.copy("Resources")])
  + [
    .target(
      name: "CScriptEngine", path: "Operations/Sources/CScriptEngine",
      cSettings: [
        .unsafeFlags(
          [
            "include/webkitgtk-4.1", "include/glib-2.0",
            "lib/x86_64-linux-gnu/glib-2.0/include", "lib/aarch64-linux-gnu/glib-2.0/include",
            "lib64/glib-2.0/include",
          ].map { "-I/usr/\($0)" })
      ],
      linkerSettings: ["javascriptcoregtk-4.1", "gobject-2.0", "glib-2.0"].map {
        .linkedLibrary($0)
      })
  ]

let services: [Target] = [
  .executableTarget(name: "demo-service", dependencies: recording + [capture]),
  .executableTarget(
    name: "loopback-session",
    dependencies: [.product(name: "ThreadAffinity", package: "mainstay"), "LoopbackHTTP"]),
  .executableTarget(
    name: "readme-service", dependencies: [.product(name: "Mainstay", package: "mainstay")]),
]

/// Programs without a framework: a daemon on Dispatch, and a function for AWS Lambda.
let hosts: [Target] = [
  .executableTarget(
    name: "dispatch-daemon", dependencies: [.product(name: "Mainstay", package: "mainstay")]),
  .executableTarget(
    name: "lambda-function",
    dependencies: [
      .product(name: "Mainstay", package: "mainstay"),
      .product(name: "PastDeaths", package: "mainstay"),
    ]),
  .testTarget(
    name: "HostsTests", dependencies: ["dispatch-daemon", "lambda-function", "LoopbackHTTP"],
    path: "Hosts/Tests/HostsTests"),
]

/// Systems of actors and tasks, whose bugs are of the order alone.
let tasks: [Target] = [
  .target(name: "Tasks", path: "Tasks/Sources/Tasks"),
  .executableTarget(name: "tasks-app", dependencies: ["Tasks"], path: "Tasks/Sources/tasks-app"),
  .testTarget(
    name: "TasksTests", dependencies: ["Tasks", testing, crashTesting],
    path: "Tasks/Tests/TasksTests"),
]

let package = Package(
  name: "samples",
  dependencies: [.package(name: "mainstay", path: "..")],
  targets: services + hosts + stage + support + tasks
    + sample("BackgroundLayout", program: "background-layout", libraries: ["LoopbackHTTP"])
    + sample("Browser", program: "browser-app", libraries: ["LoopbackHTTP"])
    + operations
    + sites
    + sample(
      "StatusPrompt", program: "status-prompt", libraries: ["StatusModel", "LoopbackHTTP"])
    + [.target(name: "StatusModel", path: "StatusPrompt/Sources/StatusModel")]
    + sample(
      "StoreProducts", program: "store-products", libraries: ["ProductStore", "LoopbackHTTP"])
    + [
      .target(
        name: "ProductStore", dependencies: ["SampleSupport"],
        path: "StoreProducts/Sources/ProductStore")
    ]
    + sample(
      "Squad", program: "squad-app", libraries: ["SquadServer", "LoopbackHTTP"],
      resources: [.copy("Languages")])
    + [
      .target(
        name: "SquadServer", dependencies: ["LoopbackHTTP"], path: "Squad/Sources/SquadServer")
    ]
)
