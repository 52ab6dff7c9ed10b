// swift-tools-version: 6.2
import PackageDescription

// A service to copy from: what it takes of Mainstay it takes by traits.
let package = Package(
  name: "shop",
  platforms: [.macOS(.v14)],
  products: [
    .executable(name: "shop", targets: ["shop"]), .executable(name: "hello", targets: ["hello"]),
    .executable(name: "measured", targets: ["measured"]),
  ],
  dependencies: [
    .package(
      name: "mainstay", path: "../..", traits: ["SwiftLog", "NIO", "Hummingbird", "Lifecycle"]),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.26.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.11.0"),
  ],
  targets: [
    .executableTarget(
      name: "shop",
      dependencies: [
        .product(name: "BlockingCalls", package: "mainstay"),
        .product(name: "Mainstay", package: "mainstay"),
        .product(name: "MainstayHummingbird", package: "mainstay"),
        .product(name: "MainstayLifecycle", package: "mainstay"),
        .product(name: "MainstayNIO", package: "mainstay"),
        .product(name: "MainstaySwiftLog", package: "mainstay"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    // What it costs.
    .executableTarget(
      name: "measured",
      dependencies: [
        .product(name: "BlockingCalls", package: "mainstay"),
        .product(name: "Mainstay", package: "mainstay"),
        .product(name: "MainstayHummingbird", package: "mainstay"),
        .product(name: "MainstayLifecycle", package: "mainstay"),
        .product(name: "MainstayNIO", package: "mainstay"),
        .product(name: "MainstaySwiftLog", package: "mainstay"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    // The least that a service can take.
    .executableTarget(
      name: "hello",
      dependencies: [
        .product(name: "Mainstay", package: "mainstay"),
        .product(name: "MainstayHummingbird", package: "mainstay"),
        .product(name: "MainstayNIO", package: "mainstay"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ]),
  ]
)
