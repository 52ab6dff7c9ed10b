// swift-tools-version: 6.0
import PackageDescription

// A package of its own: `CrashCapture` stands between its process and `pthread_create`.
let package = Package(
  name: "crash-capture-benchmark",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "mainstay", path: "../../../..")],
  targets: [
    .target(name: "CHostWork"),
    .executableTarget(
      name: "crash-capture-bench",
      dependencies: [
        "CHostWork",
        .product(name: "Breadcrumbs", package: "mainstay"),
        .product(name: "CrashCapture", package: "mainstay"),
      ]),
  ]
)
