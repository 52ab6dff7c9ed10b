import Glibc
import ReportTrials

// `report-accuracy [--page PAGE.md] [FOLDER]`: judges the fixtures, or the reports of another folder
// with an `expected.tsv` of its own, and prints how rightly.
var arguments = CommandLine.arguments.dropFirst()
var page: String?
if arguments.first == "--page" {
  page = arguments.dropFirst().first
  arguments = arguments.dropFirst(2)
}
let trials = arguments.first.map(ReportTrial.trials) ?? ReportTrial.all
let table = AccuracyTable(trials)
print(table.text)
for complaint in table.complaints { print(complaint) }
let distortions = DistortionTable(trials)
print(distortions.markdown)
for complaint in distortions.complaints { print(complaint) }
if let page, let file = fopen(page, "w") {
  fputs(table.markdown + AccuracyTable.markdown(of: distortions), file)
  fclose(file)
}
exit(table.isRight ? 0 : 1)
