import LogReading
import CrashscanOutput
import DeathRecords
import IncidentModel

/// Writes a death record for the run of a log.
struct DeathCommand {
  private let input: InputFile
  private let form: DeathFormat
  private let name: String
  private let crumbs: Int
  private let symbolDirectories: [String]
  /// The first option that does not apply to death records; nil without such an option.
  private let needless: String?

  init(_ invocation: Invocation, _ form: DeathFormat, _ name: String) {
    input = InputFile(invocation)
    self.form = form
    self.name = name
    crumbs = invocation[.last] ?? DeathRecord.Limit.crumbs
    symbolDirectories = invocation.all(.symbols)
    needless =
      if invocation[.follow] {
        Option.follow.entry.flag
      } else if !invocation.all(.thread).isEmpty {
        Option.thread.entry.flag
      } else if !invocation.all(.category).isEmpty {
        Option.category.entry.flag
      } else if invocation[.since] != nil {
        Option.since.entry.flag
      } else {
        nil
      }
  }

  func run() -> ExitCode {
    if let needless {
      tell("--format \(name) writes one death record and cannot be combined with \(needless)")
      return .usage
    }
    do {
      let opened = try input.open()
      let events = try LogReader(path: opened.path, name: input.name).events()
      let record = try DeathRecord(events, input: input.name, crumbs: crumbs) {
        SymbolicatedFrames(symbolDirectories: symbolDirectories)
      }
      if let record {
        var output = StandardOutput()
        output.write(record.written(as: form))
      } else {
        let ending = events.ending.name
        tell(
          "\(input.name): the run did not fail (\(ending)), so crashscan wrote no death record"
        )
      }
      if let flaw = opened.flaw { throw flaw }
      return .nothingFound
    } catch {
      tell(Inputs.message(of: error, input.name))
      return .unreadableInput
    }
  }
}
