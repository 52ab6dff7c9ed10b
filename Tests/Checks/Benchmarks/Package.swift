// swift-tools-version: 6.0
import PackageDescription

// A package of its own, so that the root package does not need the peers' libraries. Each program `…-bench` prints
// rows for the runner (harness/Row.swift).
let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "mainstay", path: "../../..")],
  targets: [
    // libgcc_s and libc come before libunwind, which exports some of their symbols.
    .target(
      name: "CPeers", path: "peers/c",
      linkerSettings: [
        .linkedLibrary("c"), .linkedLibrary("gcc_s"), .linkedLibrary("unwind"),
      ]),
    .target(
      name: "CSpdlog", path: "peers/spdlog",
      cxxSettings: [.define("SPDLOG_COMPILED_LIB"), .define("SPDLOG_FMT_EXTERNAL")],
      linkerSettings: [.linkedLibrary("spdlog"), .linkedLibrary("fmt")]),
    .target(
      name: "CLttng", path: "peers/lttng",
      cSettings: [.headerSearchPath(".")],
      linkerSettings: [.linkedLibrary("lttng-ust")]),
    .target(name: "CWalkPeers", dependencies: ["CPeers"], path: "peers/walk"),
    .target(name: "BenchmarkHarness", dependencies: ["CPeers"], path: "harness"),
    .executableTarget(
      name: "crumbs-bench",
      dependencies: [
        "BenchmarkHarness", "CPeers", "CSpdlog", "CLttng",
        .product(name: "Breadcrumbs", package: "mainstay"),
      ],
      path: "crumbs"),
    .executableTarget(
      name: "walk-bench",
      dependencies: [
        "BenchmarkHarness", "CPeers", "CWalkPeers",
        .product(name: "Breadcrumbs", package: "mainstay"),
      ],
      path: "walk"),
    .executableTarget(
      name: "affinity-bench",
      dependencies: [
        "BenchmarkHarness", "CPeers", .product(name: "Breadcrumbs", package: "mainstay"),
        .product(name: "ThreadAffinity", package: "mainstay"),
      ],
      path: "affinity"),
  ],
  cLanguageStandard: .gnu17,
  cxxLanguageStandard: .gnucxx17
)
