// swift-tools-version: 6.0
import PackageDescription

let recording: [Target.Dependency] = [
  .product(name: "ThreadAffinity", package: "mainstay"),
  .product(name: "Breadcrumbs", package: "mainstay"),
]
let capture: Target.Dependency = .product(name: "CrashCapture", package: "mainstay")
let testing: Target.Dependency = .product(name: "AffinityTesting", package: "mainstay")

/// A sample in a folder of its own: the system as a library, the program that shows it work or come
/// to grief, and the tests that reproduce its bug and show the fix.
func sample(
  _ name: String, program: String, libraries: [Target.Dependency] = [],
  resources: [Resource] = []
) -> [Target] {
  [
    .target(
      name: name, dependencies: ["HeadlessUI"] + recording + libraries,
      path: "\(name)/Sources/\(name)", resources: resources),
    .executableTarget(
      name: program, dependencies: [.init(stringLiteral: name), "SampleStage"],
      path: "\(name)/Sources/\(program)"),
    .testTarget(
      name: "\(name)Tests",
      dependencies: [.init(stringLiteral: name), "HeadlessUI", testing] + libraries,
      path: "\(name)/Tests/\(name)Tests"),
  ]
}

let stage: [Target] = [
  .target(name: "HeadlessUI", dependencies: recording, path: "HeadlessUI/Sources/HeadlessUI"),
  .testTarget(
    name: "HeadlessUITests", dependencies: ["HeadlessUI", testing],
    path: "HeadlessUI/Tests/HeadlessUITests"),
  .target(
    name: "SampleStage", dependencies: ["HeadlessUI"] + recording + [capture],
    path: "HeadlessUI/Sources/SampleStage"),
]

/// A real HTTP server for the samples that talk to one.
let loopback: [Target] = [
  .target(name: "LoopbackHTTP", path: "LoopbackHTTP/Sources/LoopbackHTTP"),
  .testTarget(
    name: "LoopbackHTTPTests", dependencies: ["LoopbackHTTP"],
    path: "LoopbackHTTP/Tests/LoopbackHTTPTests"),
]

let services: [Target] = [
  .executableTarget(name: "demo-service", dependencies: recording + [capture]),
  .executableTarget(
    name: "loopback-session",
    dependencies: [.product(name: "ThreadAffinity", package: "mainstay")]),
  .executableTarget(name: "readme-service", dependencies: recording),
]

let package = Package(
  name: "samples",
  dependencies: [.package(name: "mainstay", path: "..")],
  targets: services + stage + loopback
    + sample("BackgroundLayout", program: "background-layout", libraries: ["LoopbackHTTP"])
    + sample(
      "StoreProducts", program: "store-products", libraries: ["ProductStore", "LoopbackHTTP"])
    + [.target(name: "ProductStore", path: "StoreProducts/Sources/ProductStore")]
    + sample(
      "Squad", program: "squad-app", libraries: ["SquadServer"], resources: [.copy("Languages")])
    + [
      .target(
        name: "SquadServer", dependencies: ["LoopbackHTTP"], path: "Squad/Sources/SquadServer")
    ]
)
