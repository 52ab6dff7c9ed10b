import Foundation
import Glibc
import IncidentModel
import ProcessTesting
import Testing

/// The files that a process runs code from are in its log, also those that came later.
struct ModuleTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Builds a library with a function that calls back, of a size that follows from its name alone.
  private func build(_ name: String, buildID: String = "--build-id") throws -> String {
    let library = "\(scratch.path)/lib\(name).so"
    try scratch.write(
      "void call_back(void (*body)(void)) { body(); __asm__ volatile(\"\"); }\n"
        + "const char *\(name)(void) { return \"\(name)\"; }\n", to: "\(name).c")
    let ending = try Program(command: [
      "cc", "-shared", "-fPIC", "-O0", "-fasynchronous-unwind-tables", "-Wl,\(buildID)", "-o",
      library, "\(scratch.path)/\(name).c",
    ]).end()
    guard ending.exitStatus == 0 else { throw Failure(ending.errors) }
    return library
  }

  @Test func theProgramAndItsLibrariesAreListedFromTheStart() throws {
    let trial = try Program.run("recorder-trial", ["end", scratch.log, "return"])
    #expect(trial.exitStatus == 0)
    let modules = try scratch.incident().modules.map(\.module)
    let program = try #require(modules.first { $0.name == "recorder-trial" })
    #expect(program.buildID.count >= 8 && program.loadBias > 0 && !program.text.isEmpty)
    #expect(modules.contains { $0.name.hasPrefix("libc.so") })
    #expect(modules.contains { $0.name.hasPrefix("libswiftCore") })
    #expect(Set(modules.map(\.text.lowerBound)).count == modules.count)
  }

  @Test(.notUnderQemu("qemu loads the next library elsewhere"))
  func ofTwoLibrariesAtOneAddressEachNamesItsOwnCrumbs() throws {
    let libraries = [try build("one"), try build("two"), try build("one")]
    let trial = try Program.run("recorder-trial", ["modules", scratch.log] + libraries)
    #expect(trial.exitStatus == 0)
    let functions = trial.lines.compactMap { UInt64($0.split(separator: " ").last ?? "") }
    #expect(functions.count == 3 && Set(functions).count == 1, "they share an address")
    let incident = try scratch.incident()
    let names = incident.crumbs.compactMap { crumb in
      crumb.stack?.frames.lazy.compactMap { frame in
        incident.module(at: frame.lookup, when: crumb.monotonic)?.path
      }.first { libraries.contains($0) }
    }
    #expect(names == libraries)
  }

  @Test func aLibraryWithoutABuildIDIsKnownByTheFileThatWasLoaded() throws {
    let libraries = [try build("one", buildID: "--build-id=none"), try build("two")]
    let link = "\(scratch.path)/link.so"
    try #require(symlink(libraries[0], link) == 0)
    let trial = try Program.run("recorder-trial", ["modules", scratch.log, link, libraries[1]])
    #expect(trial.exitStatus == 0)
    let modules = try scratch.incident().modules.map(\.module)
    var status = stat()
    try #require(stat(libraries[0], &status) == 0)
    let without = try #require(modules.first { $0.path == link })
    #expect(without.buildID.isEmpty && without.stamp?.inode == UInt64(status.st_ino))
    #expect(without.stamp?.size == UInt64(status.st_size))
    let with = try #require(modules.first { $0.path == libraries[1] })
    #expect(!with.buildID.isEmpty && with.stamp == nil)
  }

  @Test func aLibraryWhoseFileIsAnotherByNowIsNotKnownByThat() throws {
    let library = try build("one", buildID: "--build-id=none")
    try FileManager.default.copyItem(atPath: library, toPath: "\(library).new")
    let trial = try Program.run("recorder-trial", ["modules", scratch.log, library])
    #expect(trial.exitStatus == 0)
    let module = try #require(
      try scratch.incident().modules.map(\.module).first { $0.path == library })
    #expect(module.identity.isEmpty)
  }
}
