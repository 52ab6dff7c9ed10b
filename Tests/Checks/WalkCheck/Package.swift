// swift-tools-version: 6.0
import PackageDescription

// The heavy comparisons of our walk with libunwind's: `make check-walk`. A package of its own, so
// that building the library builds none of it; the library's sources are linked in, since what is
// checked is also what no product shows.
let gnu: [CSetting] = [.define("_GNU_SOURCE")]

let package = Package(
  name: "walk-check",
  products: [
    .library(name: "SmallTwin", type: .dynamic, targets: ["SmallTwin"]),
    .library(name: "LargeTwin", type: .dynamic, targets: ["LargeTwin"]),
  ],
  targets: [
    .target(name: "SmallTwin"),
    .target(name: "LargeTwin"),
    .target(name: "CLogFormat"),
    .target(name: "CRecorder", dependencies: ["CLogFormat"], cSettings: gnu),
    .target(name: "CWalkSubjects", dependencies: ["CRecorder"], cSettings: gnu),
    .target(name: "WalkSubjects", dependencies: ["CWalkSubjects"]),
    .target(
      name: "CWalkCheck", dependencies: ["CRecorder", "CWalkSubjects"], cSettings: gnu,
      linkerSettings: [
        .linkedLibrary("dl"), .linkedLibrary("c"), .linkedLibrary("gcc_s"),
        .linkedLibrary("unwind"),
      ]),
    .executableTarget(name: "walk-check", dependencies: ["CWalkCheck", "WalkSubjects"]),
  ],
  cLanguageStandard: .gnu17,
  cxxLanguageStandard: .gnucxx17
)
