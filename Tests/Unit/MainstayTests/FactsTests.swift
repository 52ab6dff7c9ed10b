import LogReading
import CRecorder
import Foundation
import IncidentModel
import ProcessTesting
import Testing

#if DEBUG
  /// A fact that is not known on a run takes one feature, and nothing of the host. Debug builds alone can deny facts.
  @Suite("A fact that is not known", .enabled(if: !isSanitized && !isUnderQemu))
  struct FactsTests {
    private let log = TestFiles.path("breadcrumbs.log")

    static let names = (0..<UInt32(MS_FACTS.rawValue)).map { String(cString: ms_fact_name($0)) }

    private func unknown(denying denied: String) throws -> [String] {
      let child = try ChildProcess.run(
        "mainstay-trial", [log, "start", "violate", "violate-in-child", "crash"],
        environment: ["MAINSTAY_DENY_FACTS": denied])
      #expect(child.signal == SIGSEGV, "\(child.errors)")
      let incident = try LogReader(path: log).read()
      let unlisted = ["waiting-tasks", "runtime-version", "all"]
      #expect((incident.crash?.waiting == nil) == unlisted.contains(denied))
      #expect(incident.crash?.signal == Int(SIGSEGV) && incident.crash?.stage == .recorded)
      #expect(incident.crumbs.contains { $0.message == "begun" })
      #expect(incident.crumbs.filter { $0.kind == .violation }.count == 3)
      #expect(incident.crumbs.count == 5 && incident.unread.isEmpty, "\(incident.crumbs)")
      let report = try Program.run("crashscan", [log]).output.split { $0.isWhitespace }
      for (text, words) in [
        (child.errors, "mainstay: this process"), (report.joined(separator: " "), "This run"),
      ] {
        let isSaid = text.contains("\(words) record")
        #expect(isSaid == !denied.isEmpty, "\(text)")
      }
      let shown = try Program.run("crashscan", ["show", log, "--verbose"])
      return shown.lines.compactMap { line in
        line.firstMatch(of: #/note: not known: ([a-z-]+): \S/#).map { String($0.1) }
      }
    }

    @Test("is none, by default")
    func none() throws {
      #expect(try unknown(denying: "") == [])
      let shown = try Program.run("crashscan", ["show", log, "--verbose"])
      #expect(shown.output.contains("note: known: " + Self.names.joined(separator: ", ")))
    }

    @Test("leaves the host unharmed and is named with what is off", arguments: names)
    func one(name: String) throws {
      // What is learned by another fact goes with it.
      let follow = [
        "runtime-version": ["isolation-hook", "waiting-tasks"], "queue-layout": ["queue-proof"],
        "loader-index": ["task-frames"], "task-getters": ["task-names"],
      ]
      let expected = Set([name] + (follow[name] ?? []))
      #expect(Set(try unknown(denying: name)) == expected)
    }

    @Test("is named where the kernel refuses what it takes")
    func refused() throws {
      let child = try ChildProcess.run("mainstay-trial", [log, "refuse-mprotect", "start"])
      #expect(child.status == 0, "\(child.errors)")
      let shown = try Program.run("crashscan", ["show", log, "--verbose"])
      #expect(shown.output.contains("note: not known: queue-layout: "), "\(shown.output)")
      #expect(shown.output.contains("no thread could be started"), "\(shown.output)")
    }

    @Test("may be each of them")
    func all() throws { #expect(try unknown(denying: "all") == Self.names) }
  }
#endif
