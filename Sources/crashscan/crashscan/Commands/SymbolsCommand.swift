import Glibc
import Symbolication
import TextOutput

extension Command {
  /// The command that writes symbol bundles.
  static let symbols = Command(
    name: "symbols", summary: "write the symbols of a build to a small file",
    discussion: [
      "The file has the functions, files, lines and inlined calls of one build of a program or library. With this file, --symbols symbolicates logs and reports of that build where the program is missing "
        + "or stripped. Create one for each release, from the unstripped program or next to its debug file: "
        + "crashscan searches the debug information of FILE in the directories of debuggers and of --symbols."
    ],
    examples: [
      Example(
        line: "crashscan symbols .build/release/service --output service.symbols",
        summary: "Save the symbols of this build."),
      Example(
        line: "crashscan breadcrumbs.log --symbols service.symbols",
        summary: "Read a log of this build on any machine."),
      Example(
        line: "crashscan symbols service libcache.so --output symbols/",
        summary: "Write one bundle per file, named by build id, to the directory symbols."),
    ],
    operands: Operand(placeholder: "FILE", completion: .file, count: 1...1_000_000),
    options: [Option.bundle.entry, Option.symbols.entry],
    run: { invocation in
      var worst = ExitCode.nothingFound
      for operand in invocation.operands {
        do throws(CommandFailure) {
          try writeBundle(of: operand, invocation)
        } catch {
          tell("\(error.message)")
          worst = error.code
          if worst == .usage { break }
        }
      }
      return worst
    })
}

extension Option where Value == String {
  fileprivate static let bundle = Option(
    "output", takes: "PATH", "a file or a directory", completion: .file,
    summary: "Write to the file or into the folder PATH (default FILE.symbols)",
    read: { $0 })
}

private func writeBundle(of path: String, _ invocation: Invocation) throws(CommandFailure) {
  let bundle: SymbolBundle
  do throws(ModuleStatus) {
    bundle = try SymbolBundle(of: path, symbolDirectories: invocation.all(.symbols))
  } catch {
    throw CommandFailure(message: "\(path): \(advice(on: error))")
  }
  let place = try place(for: bundle, of: path, invocation)
  if let error = bundle.write(to: place) {
    errno = error
    throw WholeFile.failure(place, "cannot be written")
  }
  var output = StandardOutput()
  let build = bundle.buildID.map { "build \($0)" } ?? "without a build id"
  output.write("\(place): \(build), \(ByteSize.text(bundle.byteCount)), \(bundle.status)\n")
  if bundle.buildID == nil { tell("\(path): \(withoutBuildID)") }
}

private let withoutBuildID = """
  the file has no build id, so the bundle matches only logs of this file at its current path; link \
  the program with -Xlinker --build-id
  """

private func advice(on status: ModuleStatus) -> String {
  switch status {
  case .unreadable(let reason): reason
  default: "\(status)"
  }
}

/// Returns the path of the bundle. In a directory, the file name is the build id, so that one
/// directory can hold the bundles of all releases.
private func place(
  for bundle: SymbolBundle, of path: String, _ invocation: Invocation
) throws(CommandFailure) -> String {
  let name = path.split(separator: "/").last.map(String.init) ?? path
  guard let output = invocation[.bundle] else { return "\(name).\(SymbolBundle.suffix)" }
  var status = stat()
  let isDirectory = stat(output, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  if isDirectory || output.hasSuffix("/") {
    if !isDirectory, mkdir(output, 0o777) != 0 {
      throw WholeFile.failure(output, "cannot be created")
    }
    let folder = output.hasSuffix("/") ? String(output.dropLast()) : output
    return "\(folder)/\(bundle.identity).\(SymbolBundle.suffix)"
  }
  if invocation.operands.count > 1 {
    throw CommandFailure(
      message: "\(output): is not a directory; several bundles need one", code: .usage)
  }
  return output
}
