// swift-tools-version: 6.0
import PackageDescription

// An application on GTK 4. It is a package of its own, so that no other sample needs GTK.
let package = Package(
  name: "gtk",
  dependencies: [.package(name: "mainstay", path: "../..")],
  targets: [
    .systemLibrary(name: "CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
    .executableTarget(
      name: "gtk-app",
      dependencies: ["CGTK", .product(name: "Mainstay", package: "mainstay")]),
  ]
)
