// swift-tools-version: 6.0
import PackageDescription

// A package of its own, so that the root needs none of the peers' libraries.
let package = Package(
  name: "analysis-bench",
  dependencies: [.package(name: "mainstay", path: "../../../..")],
  targets: [
    .executableTarget(
      name: "make-crumbs",
      dependencies: [
        .product(name: "Breadcrumbs", package: "mainstay"),
        .product(name: "ThreadAffinity", package: "mainstay"),
      ]),
    .executableTarget(name: "scan-json", linkerSettings: [.linkedLibrary("simdjson")]),
  ],
  cxxLanguageStandard: .gnucxx17
)
