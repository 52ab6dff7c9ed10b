// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "samples",
  dependencies: [.package(name: "mainstay", path: "..")],
  targets: [
    .executableTarget(
      name: "demo-service",
      dependencies: [
        .product(name: "ThreadAffinity", package: "mainstay"),
        .product(name: "Breadcrumbs", package: "mainstay"),
        .product(name: "CrashCapture", package: "mainstay"),
      ]),
    .executableTarget(
      name: "loopback-session",
      dependencies: [.product(name: "ThreadAffinity", package: "mainstay")]),
    .executableTarget(
      name: "readme-service",
      dependencies: [
        .product(name: "ThreadAffinity", package: "mainstay"),
        .product(name: "Breadcrumbs", package: "mainstay"),
      ]),
  ]
)
