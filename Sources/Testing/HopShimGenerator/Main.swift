import Foundation

/// Generates hop shims from symbol graphs.
@main
enum Program {
  static func main() {
    do {
      try run(Options(Array(CommandLine.arguments.dropFirst())))
    } catch {
      FileHandle.standardError.write(Data("generate-hop-shim: \(error)\n".utf8))
      exit(1)
    }
  }

  static func run(_ options: Options) throws {
    if options.isHelp { return print(Options.help) }
    guard let output = options.output else {
      throw Refusal("--output FILE is missing: the file to write")
    }
    let source = try source(for: options)
    let file = URL(fileURLWithPath: output)
    if options.isCheck {
      guard let written = try? String(contentsOf: file, encoding: .utf8) else {
        throw Refusal("\(output) does not exist; run: \(options.command)")
      }
      guard written == source else {
        throw Refusal("\(output) is out of date; run: \(options.command)")
      }
      return
    }
    do {
      try Data(source.utf8).write(to: file)
    } catch {
      throw Refusal("\(output) cannot be written: \(error.localizedDescription)")
    }
    print("wrote \(output)")
  }

  /// Returns the source text of the shim that `options` describe.
  static func source(for options: Options) throws -> String {
    guard let name = options.protocolName else { throw Refusal("--protocol is missing") }
    guard let module = options.module else { throw Refusal("--module is missing") }
    let graphs = SymbolGraphs(folders: options.symbolGraphs, searchPaths: options.searchPaths)
    let model = try ProtocolModel(name, in: module, graphs: graphs)
    let shim = try Shim(
      model, options.choices, to: options.destination, isPublic: options.isPublic,
      isIsolated: options.isIsolated, home: options.home, command: options.command)
    return shim.source
  }
}
