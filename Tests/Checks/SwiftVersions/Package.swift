// swift-tools-version: 6.0
import PackageDescription

// A client of all that records, built by `Tests/Checks/Platforms/swift-versions` with each compiler.
let package = Package(
  name: "swift-versions",
  dependencies: [.package(name: "mainstay", path: "../../..")],
  targets: [
    .executableTarget(
      name: "recorded",
      dependencies: [
        .product(name: "Breadcrumbs", package: "mainstay"),
        .product(name: "BreadcrumbNotifications", package: "mainstay"),
        .product(name: "CrashCapture", package: "mainstay"),
        .product(name: "ThreadAffinity", package: "mainstay"),
      ])
  ]
)
