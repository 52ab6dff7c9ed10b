import CrashAnalysis
import DeathRecords
import IncidentModel
import TextOutput

/// Writes a report for programs. docs/report-schema.json describes the format.
package struct JSONReporter: Reporter {
  package init() {}

  package func write(_ report: Report) -> String { write(report, picture: nil) }

  /// Writes a report, with a picture of the process if there is one.
  ///
  /// - Parameter picture: The process of the report, and its threads and tasks, grouped by place.
  package func write(
    _ report: Report, picture: (ProcessPicture, PictureGroups)?
  ) -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("schema", Report.schema)
      json.member("reports", report.recordings.count)
      json.key("unreadInputs")
      json.array(report.unread) { json, input in
        json.object { json in
          json.member("path", input.input)
          json.member("text", input.why)
        }
      }
      json.key("inputs")
      json.array(report.recordings) { json, recording in
        json.breakLine()
        json.recording(recording)
      }
      json.key("findings")
      json.array(report.entries.enumerated()) { json, numbered in
        json.breakLine()
        json.finding(numbered.element, id: numbered.offset + 1)
      }
      if let (picture, groups) = picture {
        json.key("picture")
        json.picture(picture, groups)
      }
    }
    return json.take() + "\n"
  }
}

extension JSONWriter {
  /// Returns a time in ISO 8601; nil if the report has no time.
  private static func time(_ wall: UInt64) -> String? {
    wall == 0 ? nil : WallTime(nanoseconds: wall).iso8601
  }

  mutating func recording(_ recording: RecordingSummary) {
    object { json in
      json.member("path", recording.input)
      json.member("format", recording.format)
      json.member("incidents", 1)
      json.member("executable", recording.executable)
      json.member("process", recording.process)
      json.member("release", recording.release)
      json.member("environment", recording.environment)
      json.member("opened", Self.time(recording.opened))
      json.member("lastSeen", Self.time(recording.lastSeen))
      json.member("ending", recording.ending.name)
      json.member("manner", recording.manner)
      json.member("crash", recording.crash.isEmpty ? nil : recording.crash)
      json.member("crumbs", recording.extent.events)
      json.key("thread")
      json.thread(recording.thread)
      json.member("queue", recording.queue)
      json.member("subject", recording.subject)
      json.key("unread")
      json.array(recording.unread) { $0.value($1) }
      json.member("heldSince", recording.gaps?.heldSince.flatMap(Self.time))
      json.member("shortfall", recording.shortfall)
      json.key("answers")
      json.array(recording.answers ?? []) { $0.answers($1) }
    }
  }

  private mutating func answers(_ times: AnswerTimes) {
    object { json in
      json.member("executor", times.executor)
      json.key("worst")
      json.minute(times.worst)
      json.key("minutes")
      json.array(times.minutes) { $0.minute($1) }
    }
  }

  private mutating func minute(_ minute: AnswerMinute) {
    object { json in
      json.member("end", Self.time(minute.wall))
      json.member("beats", Int(clamping: minute.beats))
      json.member("median", Int(clamping: minute.median))
      json.member("p99", Int(clamping: minute.nearlyAll))
      json.member("slowest", Int(clamping: minute.slowest))
    }
  }

  mutating func finding(_ entry: Report.Entry, id: Int) {
    let finding = entry.finding
    object { json in
      json.member("id", id)
      json.member("rule", finding.rule)
      json.member("severity", finding.severity.rawValue)
      json.member("title", finding.title)
      json.member("input", finding.input)
      json.member("incident", finding.incident)
      json.member("time", Self.time(finding.wall))
      json.key("thread")
      json.thread(finding.thread)
      json.member("queue", finding.queue)
      json.member("api", finding.api)
      json.key("culprit")
      json.place(finding.culprit)
      json.member("count", entry.count)
      json.member("recordings", entry.recordings)
      json.member("isKnown", entry.isKnown)
      json.member("fingerprint", entry.fingerprint)
      json.member("buildFingerprint", finding.buildFingerprint)
      json.details(finding)
    }
  }

  private mutating func details(_ finding: Finding) {
    key("evidence")
    array(finding.evidence) { json, evidence in
      json.object { json in
        json.member("text", evidence.text)
        json.member("isDetail", evidence.isDetail)
        json.key("place")
        json.place(evidence.place)
      }
    }
    key("chain")
    array(finding.chain ?? []) { json, link in
      json.object { json in
        json.member("part", link.part.rawValue)
        json.member("text", link.text)
        json.member("time", Self.time(link.wall))
        json.key("place")
        json.place(link.place)
      }
    }
    key("merged")
    array(finding.merged ?? []) { json, other in
      json.object { json in
        json.member("rule", other.rule)
        json.member("title", other.title)
      }
    }
    key("cause")
    array(finding.cause) { json, step in
      json.object { json in
        json.member("text", step.text)
        json.member("thread", step.thread)
        json.member("queue", step.queue)
        json.key("place")
        json.place(step.place)
      }
    }
    key("nearby")
    array(finding.nearby) { json, crumb in
      json.object { json in
        json.member("offset", crumb.offset.map { Int($0) })
        json.member("thread", IncidentThread.isNumber(crumb.thread) ? crumb.thread : nil)
        json.member("queue", crumb.queue)
        json.member("text", crumb.text)
      }
    }
    key("fix")
    object { json in
      json.member("text", finding.fix.text)
      json.key("edits")
      json.array(finding.fix.edits) { json, edit in
        json.object { json in
          json.member("file", edit.file)
          json.member("first", edit.lines.first)
          json.member("last", edit.lines.last)
          json.key("replacement")
          json.array(edit.replacement) { $0.value($1) }
        }
      }
    }
  }

  private mutating func thread(_ thread: Finding.ThreadName?) {
    guard let thread, IncidentThread.isNumber(thread.index) else { return null() }
    object { json in
      json.member("id", thread.id)
      json.member("index", thread.index)
      json.member("name", thread.name)
    }
  }

  private mutating func place(_ place: CodePlace?) {
    guard let place else { return null() }
    object { json in
      json.member("function", place.name)
      json.member("module", place.module)
      json.member("file", place.file)
      json.member("line", place.line)
      json.member("source", place.source)
      json.member("header", place.header)
    }
  }
}
