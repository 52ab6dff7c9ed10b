import Foundation
import ProcessTesting
import Testing

struct ExplanationTests {
  @Test("A finding at length has its chain, and each other cause with why it was refused")
  func explanation() throws {
    let log = try logOfMisbehaviour("hang-then-killed")
    let text = try ChildProcess.run("crashscan", ["explain", log]).output
    #expect(text.hasPrefix("error main-blocked\n"), "\(text)")
    for part in [
      "  the chain\n    cause ", "    end ", "  other causes that were examined\n", "unclean-end",
    ] {
      #expect(text.contains(part), "\(part): \(text)")
    }
    let json = try ChildProcess.run("crashscan", ["explain", log, "--format", "json"]).output
    let document =
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    #expect(document?["schema"] as? String == "crashscan-explain/1")
    #expect((document?["alternatives"] as? [[String: String]])?.isEmpty == false)
  }

  @Test("Whoever was told the status with which a process ended tells _exit from SIGKILL")
  func exitStatus() throws {
    let log = try logOfMisbehaviour("killed")
    let told = { (status: String) in
      try ChildProcess.run("crashscan", [log, "--exit-status", status]).output
    }
    #expect(try told("137").contains("The process was killed by SIGKILL"))
    #expect(try told("3").contains("The process exited with status 3 through _exit"))
  }
}
