// swift-tools-version: 6.2
import PackageDescription

// The adapters with the packages they adapt to. A package of its own, so that nothing else fetches these.
let package = Package(
  name: "integrations",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "mainstay", path: "../..", traits: ["SwiftLog"]),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
  ],
  targets: [
    .testTarget(
      name: "SwiftLogTests",
      dependencies: [
        .product(name: "Breadcrumbs", package: "mainstay"),
        .product(name: "MainstaySwiftLog", package: "mainstay"),
        .product(name: "crashscan", package: "mainstay"),
        .product(name: "Logging", package: "swift-log"),
      ])
  ]
)
