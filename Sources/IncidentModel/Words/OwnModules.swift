/// The modules of the library itself: what stands between a program's code and a crumb of it.
package enum OwnModules {
  /// Of Swift code.
  package static let swift: Set<String> = [
    "ThreadAffinity", "Breadcrumbs", "BreadcrumbNotifications", "CrashCapture", "Mainstay",
    "AffinityTesting", "LogWords",
  ]

  /// What the names of all functions of C begin with that can be seen outside their files.
  package static let functionPrefix = "ms_"

  /// The folders of C code, which has the program's module where it is linked into the program.
  package static let folders: Set<Substring> = [
    "CBreadcrumbLog", "CCrashHandler", "CProcessWatch", "CQueueState", "CRuntime", "CStackWalk",
    "CTestProcess",
  ]

  /// Swift's mangling puts the module's name first, its length before it.
  private static let manglings = swift.map { "$s\($0.utf8.count)\($0)" }
  private static let directories = folders.map { "/Sources/\($0)/" }

  /// Whether a function is one of them, by its name; or by its file, where that is one of C, whose local
  /// functions have names that say nothing.
  package static func own(_ function: SourceFrame) -> Bool {
    let name = function.mangledName
    if name.hasPrefix(functionPrefix) || manglings.contains(where: name.hasPrefix) { return true }
    guard let file = function.file, file.contains("/Sources/C") else { return false }
    return directories.contains { file.contains($0) }
  }
}
