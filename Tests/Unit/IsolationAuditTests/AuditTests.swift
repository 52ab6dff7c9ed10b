import CMachineCode
import Foundation
import IsolationAudit
import ProcessTesting
import Testing

/// Audits of a program whose source says which rank each line must have.
@Suite struct AuditTests {
  private static let source = "\(AuditedSources.folder)/Audited/App.swift"

  /// A build of the program, made once.
  enum Build: String, CaseIterable, Sendable {
    case debug, release

    private static let programs: [Build: Result<String, any Error>] = Dictionary(
      uniqueKeysWithValues: allCases.map { build in
        let options = [build == .debug ? "-Onone" : "-O"]
        return (build, Result { try AuditedSources.build("Audited/App.swift", options: options) })
      })

    var program: String { get throws { try Self.programs[self]!.get() } }
  }

  @Test(arguments: Build.allCases) func everyLineHasItsRank(_ build: Build) throws {
    var audit = try Audit(
      of: build.program, symbolDirectories: [], callbacks: CallbackTable())
    let places = audit.places()
    let source = try String(contentsOfFile: Self.source, encoding: .utf8)
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      let wanted = line.split(separator: "//= ").dropFirst().first
      let found = places.filter { $0.line == index + 1 }.map(\.rank).min()
      let words = wanted.map { $0.split(separator: " ").map(String.init) } ?? ["none"]
      #expect(
        words.contains(found.map { "\($0)" } ?? "none"),
        "line \(index + 1): \(found.map { "\($0)" } ?? "none"), not \(words)")
    }
  }

  @Test(arguments: Build.allCases) func placesSayToWhomTheyAreHanded(_ build: Build) throws {
    var audit = try Audit(of: build.program, symbolDirectories: [], callbacks: CallbackTable())
    let places = audit.places()
    let generic = try #require(places.first { $0.trail.first?.hasPrefix("Five.twice") == true })
    #expect(generic.trail.dropFirst().first == "Five.later(_:)")
    #expect(generic.trail.last == "DispatchQueue.async(group:qos:flags:execute:)")
    #expect(generic.actor == "MainActor")
    #expect(generic.call?.line == generic.line)
    let witness = try #require(places.first { $0.function == "FiveDelegate.done(_:)" })
    #expect(witness.kind == .witness)
    #expect(witness.conformance?.type == "Model")
    #expect(witness.file == Self.source)
  }

  @Test(arguments: Build.allCases) func placesNameTheirActor(_ build: Build) throws {
    var audit = try Audit(of: build.program, symbolDirectories: [], callbacks: CallbackTable())
    let places = audit.places()
    let posted = try #require(places.first { $0.function.hasSuffix("Ledger.post(_:)") })
    #expect(posted.actor == nil)
    #expect(posted.instanceActor == "Ledger")
    let opened = try #require(places.first { $0.function.hasSuffix("Safe.open(_:)") })
    #expect(opened.actor == "Vault")
    #expect(opened.instanceActor == nil)
  }

  @Test func codeOfMainstayIsLeftOut() throws {
    var audit = try Audit(
      of: "\(ChildProcess.directory)/affinity-child", symbolDirectories: [],
      callbacks: CallbackTable())
    let places = audit.places()
    #expect(places.contains { $0.kind == .library && $0.file?.hasSuffix("/Main.swift") == true })
    let files = places.compactMap(\.file)
    #expect(files.filter { $0.contains("/Sources/") }.isEmpty)
    // A check of any global actor, in generic code.
    let actors = places.compactMap(\.actor)
    #expect(actors.filter { $0.contains(" ") }.isEmpty)
  }

  /// A section may end in a jump, and the next section is not mapped.
  @Test func lastJumpOfASectionIsFound() {
    let code: [UInt8] = [0x90, 0xe9, 0x0b, 0, 0, 0]
    var found = ms_reference()
    #expect(ms_find_references(code, code.count, 0x1000, [0x1011], 1, &found, 1) == 1)
    #expect(found.place == 0x1001)
    #expect(found.kind == MS_REFERENCE_JUMP.rawValue)
    #expect(ms_find_references(code, code.count - 1, 0x1000, [0x1011], 1, &found, 1) == 0)
  }

  @Test func ownTableComesFirst() throws {
    var callbacks = CallbackTable()
    try callbacks.add(
      "# ours\nelsewhere | Five.keep* | the keeper calls it on a thread\nmain|Five.later*")
    var audit = try Audit(of: Build.release.program, symbolDirectories: [], callbacks: callbacks)
    let places = audit.places()
    let kept = try #require(places.first { $0.trail == ["Five.keep(_:)"] })
    #expect(kept.rank == .elsewhere)
    #expect(kept.reason == "the keeper calls it on a thread")
    #expect(places.filter { $0.trail.first == "Five.later(_:)" }.allSatisfy { $0.rank == .here })
  }

  @Test func malformedTableNamesItsLine() {
    var callbacks = CallbackTable()
    #expect(throws: CallbackTable.LineError.self) {
      try callbacks.add("inline | Five.now(_:)\nnowhere | Five.keep(_:)")
    }
  }

  @Test func strippedProgramIsRefused() throws {
    let program = TestFiles.path("stripped")
    let made = try ChildProcess.run(
      path: "/usr/bin/env", ["strip", "-o", program, Build.release.program])
    try #require(made.status == 0)
    let run = try ChildProcess.run("crashscan", ["audit", program])
    #expect(run.status == 2)
    #expect(run.errors.contains("no symbol table"))
  }

  @Test func symbolsOfAStrippedProgramCanBeElsewhere() throws {
    let program = try Build.release.program
    let (stripped, symbols) = (TestFiles.path("stripped"), TestFiles.path("app.debug"))
    for arguments in [
      ["strip", "-o", stripped, program], ["objcopy", "--only-keep-debug", program, symbols],
    ] {
      try #require(try ChildProcess.run(path: "/usr/bin/env", arguments).status == 0)
    }
    let run = try ChildProcess.run("crashscan", ["audit", stripped, "--symbols", symbols])
    #expect(run.status == 1)
    #expect(run.output.contains("handed to Five.later(_:)"))
  }

  @Test func baselineAndAllowancesSilenceKnownPlaces() throws {
    let program = try Build.debug.program
    let report = TestFiles.path("known.json")
    #expect(
      try ChildProcess.run("crashscan", ["audit", program, "--format", "json", "--output", report])
        .status == 1)
    let same = try ChildProcess.run("crashscan", ["audit", program, "--baseline", report])
    #expect(same.status == 0)
    #expect(same.output.contains("no place can trap by isolation"))
    let allowed = try ChildProcess.run(
      "crashscan", ["audit", program, "--allow", "file:App.swift"])
    #expect(allowed.status == 0)
    #expect(
      try ChildProcess.run("crashscan", ["audit", program, "--fail-on", "never"]).status == 0)
  }

  @Test func formatsForMachinesNameTheLine() throws {
    let program = try Build.debug.program
    let github = try ChildProcess.run("crashscan", ["audit", program, "--format", "github"])
    #expect(github.output.contains("::error "))
    #expect(github.output.contains("App.swift,line=13"))
    let sarif = try ChildProcess.run("crashscan", ["audit", program, "--format", "sarif"])
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(sarif.output.utf8)) as? [String: Any])
    let runs = try #require(document["runs"] as? [[String: Any]])
    #expect((runs[0]["results"] as? [Any])?.isEmpty == false)
  }

  @Test func otherFilesAreRefused() throws {
    let text = TestFiles.path("text")
    try "no program".write(toFile: text, atomically: true, encoding: .utf8)
    let run = try ChildProcess.run("crashscan", ["audit", text])
    #expect(run.status == 2)
    #expect(run.errors.contains("not an executable or shared library"))
  }
}
