// swift-tools-version: 6.2
import PackageDescription

// The adapters with the packages they adapt to. A package of its own, so that nothing else fetches these; of one
// version each, for the tests are of the adapters.
let package = Package(
  name: "integrations",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(
      name: "mainstay", path: "../..",
      traits: ["SwiftLog", "NIO", "Hummingbird", "Lifecycle", "Tracing", "Metrics"]),
    .package(name: "shop", path: "../../samples/Shop"),
    .package(name: "service", path: "../../samples/Service"),
    .package(url: "https://github.com/apple/swift-log.git", exact: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.3"),
    .package(url: "https://github.com/apple/swift-distributed-tracing.git", exact: "1.4.1"),
    .package(url: "https://github.com/apple/swift-metrics.git", exact: "2.10.1"),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.26.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", exact: "2.11.0"),
  ],
  targets: [
    .target(
      name: "CrashscanLogs", dependencies: [.product(name: "Breadcrumbs", package: "mainstay")]),
    .testTarget(
      name: "SwiftLogTests",
      dependencies: [
        "CrashscanLogs",
        .product(name: "Breadcrumbs", package: "mainstay"),
        .product(name: "MainstaySwiftLog", package: "mainstay"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .testTarget(
      name: "NIOTests",
      dependencies: [
        "CrashscanLogs",
        .product(name: "Breadcrumbs", package: "mainstay"),
        .product(name: "CrashCapture", package: "mainstay"),
        .product(name: "MainstayNIO", package: "mainstay"),
        .product(name: "ThreadAffinity", package: "mainstay"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .testTarget(
      name: "HummingbirdTests",
      dependencies: [
        "CrashscanLogs",
        .product(name: "Breadcrumbs", package: "mainstay"),
        .product(name: "CrashCapture", package: "mainstay"),
        .product(name: "MainstayHummingbird", package: "mainstay"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    .testTarget(
      name: "LifecycleTests",
      dependencies: [
        "CrashscanLogs",
        .product(name: "Breadcrumbs", package: "mainstay"),
        .product(name: "MainstayLifecycle", package: "mainstay"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    .testTarget(
      name: "TracingTests",
      dependencies: [
        "CrashscanLogs",
        .product(name: "Breadcrumbs", package: "mainstay"),
        .product(name: "CrashCapture", package: "mainstay"),
        .product(name: "MainstayTracing", package: "mainstay"),
        .product(name: "ThreadAffinity", package: "mainstay"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]),
    .testTarget(
      name: "MetricsTests",
      dependencies: [
        "CrashscanLogs",
        .product(name: "Breadcrumbs", package: "mainstay"),
        .product(name: "CrashCapture", package: "mainstay"),
        .product(name: "MainstayMetrics", package: "mainstay"),
        .product(name: "ThreadAffinity", package: "mainstay"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
      ]),
    // Samples that are services: built here for other tests too.
    .testTarget(
      name: "ShopTests",
      dependencies: [
        "CrashscanLogs",
        .product(name: "hello", package: "shop"),
        .product(name: "kiosk", package: "service"),
        .product(name: "kiosk-watched", package: "service"),
        .product(name: "measured", package: "shop"),
        .product(name: "shop", package: "shop"),
        .product(name: "warehouse", package: "service"),
      ]),
  ]
)
