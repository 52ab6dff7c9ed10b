// swift-tools-version: 6.0
import Foundation
import PackageDescription

// A client as users write it: a version of Mainstay, nothing else. `run` says where its clone lies.
let mainstay = ProcessInfo.processInfo.environment["MAINSTAY_CLONE"] ?? "file:///mainstay"

let package = Package(
  name: "client",
  dependencies: [.package(url: mainstay, from: "0.1.0")],
  targets: [
    .target(name: "Throwing"),
    .executableTarget(
      name: "client",
      dependencies: [
        "Throwing",
        .product(name: "Breadcrumbs", package: "mainstay"),
        .product(name: "ThreadAffinity", package: "mainstay"),
      ]),
  ],
  cxxLanguageStandard: .gnucxx17
)
