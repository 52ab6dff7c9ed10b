import AffinityTesting
import IncidentModel

/// Installs the reader. `CTestProcess` calls this function before the first stack or log is read.
@_cdecl("ms_install_crash_reader")
func installCrashReader() { CrashReaders.install(AnalyzingReader()) }

/// A crash reader that symbolicates stacks from debug information and analyzes logs.
private struct AnalyzingReader: CrashReader {
  func frames(_ stack: [UInt]) -> [StackFrame] {
    let modules = LoadedModules.all().map { Module($0) }
    return stack.flatMap { word -> [SourceFrame] in
      let address = FrameAddress(word: UInt64(word))
      guard let module = modules.first(where: { $0.text.contains(address.lookup) }) else {
        return []
      }
      return FileSymbols().frames(at: address, in: module)
    }.filter { $0.file != nil && $0.file != "<compiler-generated>" && $0.line != 0 }.map {
      StackFrame(
        function: $0.function, mangledName: $0.mangledName, file: $0.file, line: $0.line)
    }
  }

  func report(ofLog path: String) throws -> LogReport { try LogReport(ofLog: path) }
}
