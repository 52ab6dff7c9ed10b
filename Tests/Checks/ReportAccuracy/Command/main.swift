import Glibc
import ReportTrials

// `report-accuracy [--page PAGE.md] [--shapes PAGE.md] [FOLDER]`: judges the fixtures, or the reports of another
// folder with an `expected.tsv` of its own, and prints how rightly. `--shapes` writes only the page of the shapes
// that are read.
func write(_ text: String, to path: String) {
  guard let file = fopen(path, "w") else { exit(1) }
  fputs(text, file)
  fclose(file)
}
var arguments = CommandLine.arguments.dropFirst()
var page: String?
if arguments.first == "--page" {
  page = arguments.dropFirst().first
  arguments = arguments.dropFirst(2)
}
if arguments.first == "--shapes", let path = arguments.dropFirst().first {
  let shapes = ShapeTable(ReportTrial.all)
  for shape in shapes.missing { print(shape) }
  write(shapes.markdown, to: path)
  exit(shapes.missing.isEmpty ? 0 : 1)
}
let trials = arguments.first.map(ReportTrial.trials) ?? ReportTrial.all
let table = AccuracyTable(trials)
print(table.text)
for complaint in table.complaints { print(complaint) }
let distortions = DistortionTable(trials)
print(distortions.markdown)
for complaint in distortions.complaints { print(complaint) }
if let page { write(table.markdown + AccuracyTable.markdown(of: distortions), to: page) }
exit(table.isRight ? 0 : 1)
