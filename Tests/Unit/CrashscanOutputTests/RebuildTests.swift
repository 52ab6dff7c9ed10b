import Foundation
import ProcessTesting
import Testing

/// A report of one build as the baseline of another: a program is built from its sources, twice.
@Suite(.serialized, .long) struct RebuildTests {
  private struct Build {
    let program: String
    let directory: URL

    /// Compiles what misbehaves, its sources edited, against the libraries of this package's build.
    init(_ edit: (String) -> String) throws {
      directory = URL(fileURLWithPath: temporary("misbehave")).deletingLastPathComponent()
      program = directory.appendingPathComponent("misbehave").path
      let folder = Repository.root.appendingPathComponent("Tests/Programs/Misbehave")
      var sources: [String] = []
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
      where name.hasSuffix(".swift") {
        let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        let copy = directory.appendingPathComponent(name)
        try edit(text).write(to: copy, atomically: true, encoding: .utf8)
        sources.append(copy.path)
      }
      try Self.compile(sources.sorted(), to: program)
    }

    static func compile(_ sources: [String], to program: String) throws {
      let compiler = try ChildProcess.run(
        path: "/usr/bin/env", ["swiftc"] + options + sources + ["-o", program], [:])
      try #require(compiler.status == 0, "\(compiler.errors)")
    }

    /// The report of a run of this build.
    func report(_ way: String, to file: String = "report.json", _ options: [String] = []) throws
      -> (status: Int32, json: String)
    {
      let log = directory.appendingPathComponent("\(way).log").path
      _ = try ChildProcess.run(path: program, [way, "wrong", log], [:])
      let report = directory.appendingPathComponent(file).path
      let scan = try ChildProcess.run(
        "crashscan",
        [log, "--format", "json", "--output", report, "--fail-on", "note"] + options)
      return (scan.status, try String(contentsOfFile: report, encoding: .utf8))
    }

    private static let options: [String] = {
      let products = ChildProcess.directory
      let libraries = [
        "Recorder/CLogFormat", "Recorder/CRecorder", "Crash/CCrashHandler",
        "Interposers/CInterposers", "Affinity/MainActorCalls",
        "Affinity/ThreadAffinity", "Recorder/Breadcrumbs", "Interposers/BlockingCalls",
        "Crash/CrashCapture",
      ]
      var options = [
        "-g", "-swift-version", "6", "-module-name", "misbehave", "-I", "\(products)/Modules",
        "-Xlinker", "--build-id", "-lc", "-lgcc_s", "-lstdc++",
      ]
      for folder in libraries {
        let library = folder.split(separator: "/").last ?? ""
        if library.hasPrefix("C"), library != "CrashCapture" {
          options += ["-Xcc", "-fmodule-map-file=\(products)/\(library).build/module.modulemap"]
          options += ["-Xcc", "-I\(Repository.root.path)/Sources/\(folder)/include"]
        }
        // Objects of files that are no more stay where they are.
        let sources = Set(files(in: "\(Repository.root.path)/Sources/\(folder)").map(\.name))
        options += files(in: "\(products)/\(library).build")
          .filter { $0.name.hasSuffix(".o") && sources.contains(String($0.name.dropLast(2))) }
          .map(\.path)
      }
      return options
    }()

    private static func files(in folder: String) -> [(name: String, path: String)] {
      let found = FileManager.default.enumerator(atPath: folder)
      return (found ?? .init()).compactMap { $0 as? String }
        .map { (URL(fileURLWithPath: $0).lastPathComponent, "\(folder)/\($0)") }
    }
  }

  private static let first = Result { try Build { $0 } }
  private static let second = Result { try Build(moved) }

  /// Lines that say nothing, at the beginning and inside of functions.
  private static func moved(_ source: String) -> String {
    String(repeating: "// A line more.\n", count: 7)
      + source.replacing("{\n", with: "{\n  // And one more.\n")
  }

  private static func lines(of report: String) -> Set<String> {
    Set(report.matches(of: #/"line":\d+/#).map { String($0.output) })
  }

  @Test(arguments: ["unhopped-callback", "store-delegate", "hang", "own-deadlock"])
  func baselineOfOneBuildTakesThoseOfTheNext(_ way: String) throws {
    let first = try Self.first.get()
    let second = try Self.second.get()
    let known = try first.report(way)
    #expect(known.status == 1)
    let baseline = first.directory.appendingPathComponent("report.json").path
    let again = try second.report(way, ["--baseline", baseline])
    #expect(again.status == 0, "\(again.json)")
    // Were the builds alike, this would show nothing.
    #expect(Self.lines(of: known.json) != Self.lines(of: again.json))
  }

  /// The run begins after the change, so only the program's file shows that the lines are others.
  @Test func aLineOfAFileThatIsNewerThanTheProgramIsNotShown() throws {
    let build = try Build { $0 }
    #expect(try build.report("unhopped-callback").json.contains(#/"source":"[^"]/#))
    for name in try FileManager.default.contentsOfDirectory(atPath: build.directory.path)
    where name.hasSuffix(".swift") {
      let file = build.directory.appendingPathComponent(name)
      try Self.moved(String(contentsOf: file, encoding: .utf8))
        .write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try !build.report("unhopped-callback").json.contains(#/"source":"[^"]/#))
    let trusting = try build.report("unhopped-callback", ["--trust-sources"])
    #expect(trusting.json.contains(#/"source":"[^"]/#))
  }

  /// An edit before the run is older than the start of the run, but newer than the program that ran.
  @Test(arguments: [false, true])
  func aFirstReportAfterARebuildHasTheNamesAndLinesOfTheRun(isEditedBefore: Bool) throws {
    let folder = TestFiles.directory()
    let (source, program, log) = ("\(folder)/main.swift", "\(folder)/till", "\(folder)/till.log")
    let text = """
      import Breadcrumbs
      import CrashCapture

      func pay(_ price: Int?) -> Int {
        return price! - 3
      }

      var options = CrashOptions()
      options.keepsProgram = true
      CrashHandler.install(
        recordingTo: try BreadcrumbRecorder(path: "\(log)", capacity: 1 << 18), options: options)
      print(pay(Int("none")))

      """
    func edit() throws {
      try text.replacing("func pay", with: "// One line,\n// and another.\nfunc pay")
        .write(toFile: source, atomically: true, encoding: .utf8)
    }
    func report() throws -> String {
      try ChildProcess.run("crashscan", [log], environment: ["XDG_CACHE_HOME": "/dev/null"]).output
    }
    try text.write(toFile: source, atomically: true, encoding: .utf8)
    try Build.compile([source], to: program)
    #expect(try ChildProcess.run(path: program, []).signal != 0)
    let shown = "│ return price! - 3\n"
    #expect(try report().contains(shown))
    try edit()
    if isEditedBefore {
      try FileManager.default.removeItem(atPath: log)
      #expect(try ChildProcess.run(path: program, []).signal != 0)
    }
    try Build.compile([source], to: program)
    let after = try report()
    #expect(after.contains(#/in pay\(_:\) \(main\.swift:5/#), "\(after)")
    #expect(!after.contains("│ ") && after.contains("the source has changed"), "\(after)")
    #expect(after.contains("the copy that the run kept"), "\(after)")
  }

  @Test func whatIsNewInTheNextBuildIsNotKnown() throws {
    let first = try Self.first.get()
    let renamed = try Build { $0.replacing("unhoppedCallback", with: "freshCallback") }
    _ = try first.report("unhopped-callback")
    let baseline = first.directory.appendingPathComponent("report.json").path
    let status = try renamed.report("unhopped-callback", ["--baseline", baseline]).status
    #expect(status == 1)
  }
}
