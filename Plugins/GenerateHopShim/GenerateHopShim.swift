import Foundation
import PackagePlugin

/// `swift package generate-hop-shim`: finds the protocol's module, and lets the generator write.
@main
struct GenerateHopShim: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let request = Request(arguments)
    if request.isHelp {
      return try Generator(context).run(["--help"])
    }
    guard request.isCheck && request["--protocol"] == nil else {
      return try generate(request, context)
    }
    let files = try Shims(context.package).files
    for file in files {
      try generate(Request(file.arguments + ["--check"]), context)
    }
    print("hop shims checked: \(files.count)")
  }

  private func generate(_ request: Request, _ context: PluginContext) throws {
    guard let name = request["--protocol"] else {
      throw Complaint("--protocol is missing; see --help")
    }
    let modules = Modules(context.package)
    let module = try request["--module"] ?? modules.declaring(name)
    let target = modules.target(named: module)
    let output = try request["--output"] ?? modules.output(for: name, in: target)
    var arguments = request.arguments
    if request["--module"] == nil { arguments += ["--module", module] }
    if request["--output"] == nil { arguments += ["--output", output] }
    if let home = modules.home(of: output) { arguments += ["--home-module", home] }
    for module in target.map(modules.needed) ?? [] {
      arguments += ["--symbol-graphs", try symbolGraph(of: module, modules, context.package)]
    }
    try Generator(context).run(arguments)
  }
}

extension GenerateHopShim {
  /// The folder with the module's symbol graph.
  private func symbolGraph(
    of module: SwiftSourceModuleTarget, _ modules: Modules, _ package: Package
  ) throws -> String {
    do {
      let graph = try packageManager.getSymbolGraph(
        for: module,
        options: .init(
          minimumAccessLevel: .internal, includeSynthesized: false, includeSPI: true,
          emitExtensionBlocks: false))
      return graph.directoryURL.path
    } catch {
      let shims = try Shims(package).files.compactMap { Request($0.arguments)["--output"] }
        .filter { modules.home(of: $0) == module.moduleName }
      if shims.isEmpty { throw error }
      // The compiler's own message does not help: it says that a class does not conform.
      throw Complaint(
        """
        the module \(module.moduleName) does not build, and a shim can be checked or generated \
        only from a module that does. \(shims.joined(separator: ", ")) is part of it: if the \
        compiler says that its class does not conform, it is out of date. Remove it and the code \
        that uses it for now, and generate it again; or keep shims in a target that imports \
        \(module.moduleName), where this cannot happen
        """)
    }
  }
}

/// What went wrong, in a sentence.
struct Complaint: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// The program that does the work.
struct Generator {
  private let tool: URL
  private let package: URL

  init(_ context: PluginContext) throws {
    tool = try context.tool(named: "HopShimGenerator").url
    package = context.package.directoryURL
  }

  func run(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = tool
    process.currentDirectoryURL = package
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Complaint("no shim was generated") }
  }
}
