import Foundation
import ProcessTesting
import Testing

/// The runtime's messages are overheard in the two libraries that write them.
@Suite("What is overheard")
struct RuntimeMessageTests {
  private let log = TestFiles.path("breadcrumbs.log")

  /// A library that imports what Swift's own libraries import, and tells whether its calls still lead to the real functions.
  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <stdarg.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <unistd.h>

    extern void swift_reportError(unsigned flags, const char *message);
    extern _Bool _swift_shouldReportFatalErrorsToDebugger(void);

    int is_untouched(char **arguments) {
      if (getenv("NEVER_SET")) execvpe("", arguments, environ);
      if (getenv("NEVER_SET") && _swift_shouldReportFatalErrorsToDebugger()) abort();
      return (void *)fprintf == dlsym(RTLD_DEFAULT, "fprintf") &&
             (void *)fputs == dlsym(RTLD_DEFAULT, "fputs") &&
             (void *)vfprintf == dlsym(RTLD_DEFAULT, "vfprintf") &&
             (void *)swift_reportError == dlsym(RTLD_DEFAULT, "swift_reportError");
    }
    """

  @Test("are Swift's own libraries, and no other that imports the same functions")
  func noOtherLibrary() throws {
    let file = TestFiles.path("import_hooks.c")
    try Self.source.write(toFile: file, atomically: true, encoding: .utf8)
    let library = file + ".so"
    let made = try ChildProcess.run(
      path: "/usr/bin/env", ["clang", "-shared", "-fPIC", "-O1", file, "-o", library], [:])
    try #require(made.status == 0, "\(made.errors)")
    let ending = try Program.run(
      "mainstay-trial", [log, "open=\(library)", "start", "is-untouched"])
    #expect(ending.lines.last == "untouched 1", "\(ending.errors)")
  }

  @Test("still tell of a continuation that is resumed twice")
  func misuse() throws {
    let ending = try Program.run("mainstay-trial", [log, "start", "resume-twice"])
    #expect(ending.signal != nil)
    let shown = try Program.run("crashscan", ["show", log])
    #expect(shown.output.contains("resume its continuation more than once"), "\(shown.output)")
  }
}
