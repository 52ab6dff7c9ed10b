// swift-tools-version: 6.0
import Foundation
import PackageDescription

// A client as users write it: a version of Mainstay, nothing else. `run` says where its clone lies.
// Without one it is built from the sources beside it, which `make test` has built already.
let mainstay: Package.Dependency =
  ProcessInfo.processInfo.environment["MAINSTAY_CLONE"].map { .package(url: $0, from: "0.1.0") }
  ?? .package(name: "mainstay", path: "../../..")

let package = Package(
  name: "client",
  dependencies: [mainstay],
  targets: [
    .target(name: "Throwing"),
    .executableTarget(
      name: "client",
      dependencies: [
        "Throwing",
        .product(name: "Breadcrumbs", package: "mainstay"),
        .product(name: "CrashCapture", package: "mainstay"),
        .product(name: "ThreadAffinity", package: "mainstay"),
      ]),
    .executableTarget(
      name: "blocker", dependencies: [.product(name: "BlockingCalls", package: "mainstay")]),
  ],
  cxxLanguageStandard: .gnucxx17
)
