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
let table = AccuracyTable(arguments.first.map(ReportTrial.trials) ?? ReportTrial.all)
print(table.text)
for complaint in table.complaints { print(complaint) }
if let page, let file = fopen(page, "w") {
  fputs(table.markdown, file)
  fclose(file)
}
exit(table.isRight ? 0 : 1)
