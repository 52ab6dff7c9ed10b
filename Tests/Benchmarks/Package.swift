// swift-tools-version: 6.0
import Foundation
import PackageDescription

// A package of its own, so that the root needs none of the peers' libraries. Each folder named here
// is one program, `bench-<folder>`, that prints rows for `bench-runner` (harness/Row.swift).
let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
let programs = ["affinity", "walk"].filter {
  FileManager.default.fileExists(atPath: here.appendingPathComponent($0).path)
}

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "mainstay", path: "../..")],
  targets: [
    // libgcc_s and libc before libunwind: docs/dependencies.md.
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
    .target(name: "BenchmarkHarness", dependencies: ["CPeers"], path: "harness"),
    .executableTarget(
      name: "bench-crumbs",
      dependencies: [
        "BenchmarkHarness", "CPeers", "CSpdlog", "CLttng",
        .product(name: "Breadcrumbs", package: "mainstay"),
      ],
      path: "crumbs"),
    .executableTarget(name: "bench-runner", path: "runner"),
  ]
    + programs.map { folder in
      .executableTarget(
        name: "bench-\(folder)",
        dependencies: [
          "BenchmarkHarness", "CPeers",
          .product(name: "Breadcrumbs", package: "mainstay"),
          .product(name: "ThreadAffinity", package: "mainstay"),
        ],
        path: folder)
    },
  cLanguageStandard: .gnu17,
  cxxLanguageStandard: .gnucxx17
)
