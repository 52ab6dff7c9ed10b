import Foundation
import PackagePlugin

/// The modules of a package and of what it depends on.
struct Modules {
  private let package: Package

  init(_ package: Package) { self.package = package }

  private var own: [SwiftSourceModuleTarget] {
    package.targets(ofType: SwiftSourceModuleTarget.self)
  }

  /// The module of the package whose sources declare the protocol.
  func declaring(_ name: String) throws -> String {
    let last = name.split(separator: ".").last.map(String.init) ?? name
    let pattern = try Regex("protocol\\s+\(NSRegularExpression.escapedPattern(for: last))\\b")
    let modules = own.filter { target in
      target.sourceFiles(withSuffix: "swift").contains { file in
        let text = try? String(contentsOf: file.url, encoding: .utf8)
        return text?.firstMatch(of: pattern) != nil
      }
    }
    if let module = modules.first, modules.count == 1 { return module.moduleName }
    throw Complaint(
      modules.isEmpty
        ? "no target of this package declares \(name); give its module with --module"
        : "\(modules.map(\.moduleName).joined(separator: " and ")) declare \(name); choose one with --module"
    )
  }

  /// The target that builds a module, here or in a package this one depends on.
  func target(named module: String) -> SwiftSourceModuleTarget? {
    var seen: Set<Package.ID> = []
    func find(in package: Package) -> SwiftSourceModuleTarget? {
      guard seen.insert(package.id).inserted else { return nil }
      let targets = package.targets(ofType: SwiftSourceModuleTarget.self)
      return targets.first { $0.moduleName == module }
        ?? package.dependencies.lazy.compactMap { find(in: $0.package) }.first
    }
    return find(in: package)
  }

  /// The target and all it is built from.
  func needed(by target: SwiftSourceModuleTarget) -> [SwiftSourceModuleTarget] {
    [target] + target.recursiveTargetDependencies.compactMap { $0 as? SwiftSourceModuleTarget }
  }

  /// Where a shim is written if nobody says.
  func output(for name: String, in target: SwiftSourceModuleTarget?) throws -> String {
    guard let target, own.contains(where: { $0.id == target.id }) else {
      throw Complaint("\(name) is not in this package: give the file to write with --output")
    }
    let file = target.directoryURL.appendingPathComponent("\(name.filter { $0 != "." })Hop.swift")
    return String(file.path.dropFirst(package.directoryURL.path.count).drop { $0 == "/" })
  }

  /// The module that a file of the package is part of.
  func home(of output: String) -> String? {
    let file = URL(fileURLWithPath: output, relativeTo: package.directoryURL).standardizedFileURL
    return own.first { file.path.hasPrefix($0.directoryURL.standardizedFileURL.path + "/") }?
      .moduleName
  }
}
