/// Separates a program's own C and C++ functions from library functions if a debugger names no
/// images. The evidence is the path of the source file and the address range of the function.
enum NativeCode {
  /// The report with the frames of libraries marked.
  static func judged(_ report: CrashReport) -> CrashReport {
    guard report.format == .debugger else { return report }
    var report = report
    // The address rule applies only if some frame is in the program's range.
    let isInProgram = report.threads.contains { $0.frames.contains { isProgram($0.address) } }
    for place in report.threads.indices { mark(&report.threads[place].frames, isInProgram) }
    return report
  }

  private static func mark(_ frames: inout [CrashReport.Frame], _ isInProgram: Bool) {
    for place in frames.indices where frames[place].isOwn == nil {
      // An inlined function has the address of its caller.
      let address = frames[place...].first { $0.address != 0 }?.address ?? 0
      // Distributions build their libraries with relative source paths.
      let isOfUnknownSource = frames[place].file?.hasPrefix("/") != true
      let isShared = isInProgram && address >> 40 == 0x7f && isOfUnknownSource
      if isShared || frames[place].file.map(isLibrary) == true || isInterpreter(frames[place]) {
        frames[place].isOwn = false
      }
    }
  }

  /// True for the addresses at which Linux on x86-64 maps a program, position-independent or not.
  private static func isProgram(_ address: UInt64) -> Bool {
    address >> 40 == 0x55 || address >> 40 == 0x56 || address > 0 && address < 0x1000_0000
  }

  /// True for the source paths of distributions, package managers and bundled third-party trees.
  private static func isLibrary(_ file: String) -> Bool {
    if ["/usr/", "/rustc/", "../sysdeps/", "../nptl/"].contains(where: file.hasPrefix) {
      return true
    }
    if isBuiltByDebian(file) { return true }
    if libc.contains(where: file.hasPrefix) { return true }
    return [
      "/third_party/", "/3rdparty/", "/thirdparty/", "/third-party/", "/_deps/", "/vcpkg/",
      "/.conan",
      "/node_modules/", "/site-packages/", "/dist-packages/", "/.cargo/registry/", "/go/pkg/mod/",
      "/subprojects/", "/external/", "/vendor/", "/extern/", "/buildtrees/",
    ].contains { file.contains($0) }
  }

  /// True for Debian's build paths: `/build/glibc-e2p4w1/glibc-2.31/…`. Other projects also build
  /// in `/build`.
  private static func isBuiltByDebian(_ file: String) -> Bool {
    let parts = file.split(separator: "/").prefix(3)
    guard file.hasPrefix("/build/"), parts.count == 3, let dash = parts[1].lastIndex(of: "-") else {
      return false
    }
    let version = parts[2].dropFirst(parts[1][..<dash].count)
    return parts[2].hasPrefix(parts[1][..<dash]) && version.first == "-"
      && version.dropFirst().first?.isNumber == true
  }

  private static let libc = [
    "./nptl/", "./stdlib/", "./posix/", "./signal/", "./misc/", "./io/", "./assert/", "./csu/",
    "./debug/", "./libio/", "./malloc/", "./string/", "./elf/", "./socket/", "./sysdeps/",
  ]

  /// True for CPython's own functions, which do not include the functions of a script.
  private static func isInterpreter(_ frame: CrashReport.Frame) -> Bool {
    let name = frame.symbol
    if ["_Py", "PyObject_", "PyEval_", "PyGC_", "PyThread_", "PyRun_", "Py_"].contains(
      where: name.hasPrefix)
    {
      return true
    }
    let folders = frame.file?.split(separator: "/").dropLast().suffix(1) ?? []
    let isRelative = frame.file.map { $0.hasPrefix("./") || $0.hasPrefix("../") } ?? false
    return isRelative
      && folders.contains { ["Objects", "Modules", "Python", "Include"].contains($0) }
  }
}
