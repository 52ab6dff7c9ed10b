import CrashAnalysis
import DeathRecords
import IncidentModel
import TextOutput

/// Writes a report in SARIF 2.1.0 for code scanning.
package struct SARIFReporter: Reporter {
  /// The maximum number of results: code scanning rejects a file with more. The most important
  /// results come first.
  private static let mostResults = 25_000

  private let version: String
  private let layout: TextLayout

  /// Creates a reporter.
  ///
  /// - Parameters:
  ///   - version: The version of crashscan.
  ///   - layout: Paths are relative to its base directory, as code scanning requires.
  package init(version: String, layout: TextLayout) {
    self.version = version
    self.layout = layout
  }

  package func write(_ report: Report) -> String {
    var json = JSONWriter()
    let rules = RuleBook.descriptions
    json.object { json in
      json.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
      json.member("version", "2.1.0")
      json.key("runs")
      json.array([report]) { json, report in
        json.object { json in
          json.key("tool")
          json.object { $0.driver(rules, version: version) }
          json.key("properties")
          json.object { json in
            json.key("recordings")
            json.array(report.recordings) { $0.deployment(of: $1) }
          }
          json.invocation(report)
          json.key("results")
          json.array(report.entries.prefix(Self.mostResults)) { json, entry in
            json.breakLine()
            json.result(entry, rules, layout)
          }
        }
      }
    }
    return json.take() + "\n"
  }
}

extension JSONWriter {
  /// Writes the deployment into the property bag, because SARIF has no member for deployments.
  fileprivate mutating func deployment(of recording: RecordingSummary) {
    object { json in
      json.member("path", recording.input)
      json.member("release", recording.release)
      json.member("environment", recording.environment)
    }
  }

  fileprivate mutating func driver(_ rules: [RuleDescription], version: String) {
    key("driver")
    object { json in
      json.member("name", "crashscan")
      json.member("semanticVersion", version)
      json.key("rules")
      json.array(rules) { json, rule in
        json.breakLine()
        json.object { $0.rule(rule) }
      }
    }
  }

  private mutating func rule(_ rule: RuleDescription) {
    member("id", rule.id)
    message("shortDescription", rule.title)
    message("fullDescription", rule.firesWhen)
    key("help")
    object { json in
      json.member("text", "\(rule.cause)\n\n\(rule.fix)")
      json.member("markdown", "**Cause.** \(rule.cause)\n\n**Fix.** \(rule.fix)")
    }
    key("defaultConfiguration")
    object { $0.member("level", rule.severity.rawValue) }
    key("properties")
    object { json in
      json.key("tags")
      json.array(["concurrency", "crash"]) { $0.value($1) }
    }
  }

  /// Writes the run of the tool, with unreadable inputs as notifications.
  fileprivate mutating func invocation(_ report: Report) {
    key("invocations")
    array([report.unread]) { json, unread in
      json.object { json in
        json.member("executionSuccessful", unread.isEmpty)
        json.key("toolExecutionNotifications")
        json.array(unread) { json, input in
          json.object { json in
            json.member("level", "error")
            json.message("message", input.why)
          }
        }
      }
    }
  }

  fileprivate mutating func result(
    _ entry: Report.Entry, _ rules: [RuleDescription], _ layout: TextLayout
  ) {
    let finding = entry.finding
    object { json in
      json.member("ruleId", finding.rule)
      if let index = rules.firstIndex(where: { $0.id == finding.rule }) {
        json.member("ruleIndex", index)
      }
      json.member("level", finding.severity.rawValue)
      json.message(
        "message", finding.title + (finding.fix.text.isEmpty ? "" : ". \(finding.fix.text)"))
      json.key("locations")
      json.array([finding.culprit]) { json, place in
        // Code scanning ignores results without a line.
        json.object { $0.location(place, else: finding.input, layout, line: 1) }
      }
      json.key("partialFingerprints")
      json.object { json in
        // The only fingerprint that code scanning evaluates. The suffix numbers equal results on
        // one line.
        json.member("primaryLocationLineHash", entry.fingerprint + ":1")
        json.member("crashscan/v1", entry.fingerprint)
        if let build = finding.buildFingerprint { json.member("crashscanBuild/v1", build) }
      }
      json.member("occurrenceCount", max(entry.count, 1))
      json.member("baselineState", entry.isKnown ? "unchanged" : "new")
      if !finding.cause.isEmpty { json.codeFlow(finding, layout) }
      // A summary file may contain any line numbers.
      let isSound = finding.fix.edits.allSatisfy {
        $0.lines.first > 0 && $0.lines.last >= $0.lines.first && $0.lines.last < .max
      }
      if isSound, !finding.fix.edits.isEmpty { json.fixes(finding.fix, layout) }
    }
  }

  /// Writes the edits in a form that a program can apply: whole lines with their newlines.
  private mutating func fixes(_ fix: Finding.Fix, _ layout: TextLayout) {
    var files: [String] = []
    for edit in fix.edits where !files.contains(edit.file) { files.append(edit.file) }
    key("fixes")
    array([fix]) { json, fix in
      json.object { json in
        json.message("description", fix.text)
        json.key("artifactChanges")
        json.array(files) { json, file in
          json.object { json in
            json.key("artifactLocation")
            json.object { $0.member("uri", URIText.reference(layout.path(file))) }
            json.key("replacements")
            json.array(fix.edits.filter { $0.file == file }) { $0.replacement($1) }
          }
        }
      }
    }
  }

  private mutating func replacement(_ edit: Finding.Fix.Edit) {
    object { json in
      json.key("deletedRegion")
      json.object { json in
        json.member("startLine", edit.lines.first)
        json.member("startColumn", 1)
        json.member("endLine", edit.lines.last + 1)
        json.member("endColumn", 1)
      }
      json.key("insertedContent")
      json.object { $0.member("text", edit.replacement.map { $0 + "\n" }.joined()) }
    }
  }

  /// Writes one thread flow for each thread that the cause passes through, in the order of time.
  private mutating func codeFlow(_ finding: Finding, _ layout: TextLayout) {
    var threads: [String] = []
    for step in finding.cause where !threads.contains(step.thread) { threads.append(step.thread) }
    let steps = Array(finding.cause.enumerated())
    key("codeFlows")
    array([finding]) { json, finding in
      json.object { json in
        json.key("threadFlows")
        json.array(threads) { json, thread in
          json.object { json in
            json.member("id", thread.isEmpty ? "elsewhere" : thread)
            json.key("locations")
            json.array(steps.filter { $0.element.thread == thread }) { json, step in
              json.object { json in
                json.member("executionOrder", step.offset + 1)
                json.key("location")
                json.object { json in
                  json.location(step.element.place, else: finding.input, layout)
                  json.message("message", step.element.text)
                }
              }
            }
          }
        }
      }
    }
  }

  private mutating func location(
    _ place: CodePlace?, else input: String, _ layout: TextLayout, line unknown: Int? = nil
  ) {
    key("physicalLocation")
    object { json in
      json.key("artifactLocation")
      json.object { $0.member("uri", URIText.reference(layout.path(place?.file ?? input))) }
      let known = place?.file == nil ? nil : place?.line
      if let line = known.flatMap({ $0 > 0 ? $0 : nil }) ?? unknown {
        json.key("region")
        json.object { $0.member("startLine", line) }
      }
    }
    guard let place, !place.function.isEmpty else { return }
    key("logicalLocations")
    array([place]) { json, place in
      json.object { json in
        json.member("fullyQualifiedName", "\(place.module).\(place.function)")
        json.member("kind", "function")
      }
    }
  }

  private mutating func message(_ key: StaticString, _ text: String) {
    self.key(key)
    object { $0.member("text", text) }
  }
}

/// Converts paths to URI references.
enum URIText {
  /// Percent-encodes each byte that a URI path may not contain; an absolute path becomes a file
  /// URL.
  static func reference(_ path: String) -> String {
    var text = path.hasPrefix("/") ? "file://" : ""
    for byte in path.utf8 {
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        byte < 0x80 && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      if isPlain || "-._~/!$&'()*+,;=@".unicodeScalars.contains(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return text.isEmpty ? "unknown" : text
  }
}
