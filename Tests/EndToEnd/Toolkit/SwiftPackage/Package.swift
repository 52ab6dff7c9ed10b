// swift-tools-version: 6.0
import Foundation
import PackageDescription

// GTK 3 or 4, as MAINSTAY_GTK says.
let version = ProcessInfo.processInfo.environment["MAINSTAY_GTK"] ?? "3"
let name = version == "3" ? "gtk+-3.0" : "gtk4"

let package = Package(
  name: "board",
  targets: [
    .systemLibrary(name: "CGTK", pkgConfig: name),
    .executableTarget(name: "Board", dependencies: ["CGTK"]),
  ]
)
