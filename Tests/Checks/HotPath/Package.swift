// swift-tools-version: 6.0
import PackageDescription

// A package of its own, because its program puts itself before the C library's allocator and locks.
let package = Package(
  name: "hot-path",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "mainstay", path: "../../..")],
  targets: [
    .target(name: "CCount"),
    .executableTarget(
      name: "hot-path",
      dependencies: ["CCount", .product(name: "Breadcrumbs", package: "mainstay")]),
  ],
  cLanguageStandard: .gnu17
)
