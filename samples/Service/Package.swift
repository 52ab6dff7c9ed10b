// swift-tools-version: 6.0
import PackageDescription

// A service as they are run: Hummingbird, NIO, the recorder. It is a package of its own, so that no other
// sample needs what it needs.
let package = Package(
  name: "service",
  platforms: [.macOS(.v14)],
  products: [
    .executable(name: "warehouse", targets: ["warehouse"]),
    .executable(name: "kiosk", targets: ["kiosk"]),
    .executable(name: "kiosk-watched", targets: ["kiosk-watched"]),
  ],
  dependencies: [
    .package(name: "mainstay", path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.26.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
  ],
  targets: [
    .target(name: "CScales"),
    .executableTarget(
      name: "warehouse",
      dependencies: [
        "CScales",
        .product(name: "Mainstay", package: "mainstay"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    // The same without the recorder, for those who look on from outside.
    .target(
      name: "KioskService",
      dependencies: [
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .executableTarget(name: "kiosk", dependencies: ["KioskService"]),
    .executableTarget(
      name: "kiosk-watched",
      dependencies: [
        "KioskService",
        .product(name: "BlockingCalls", package: "mainstay"),
        .product(name: "Breadcrumbs", package: "mainstay"),
        .product(name: "CrashCapture", package: "mainstay"),
      ]),
  ],
  cLanguageStandard: .gnu17,
  cxxLanguageStandard: .gnucxx17
)
