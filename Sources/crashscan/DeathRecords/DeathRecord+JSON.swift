import IncidentModel
import TextOutput

extension DeathRecord {
  package static let schema = "crashscan-death/1"

  var json: String {
    var json = JSONWriter()
    json.object {
      $0.member("schema", Self.schema)
      $0.member("id", id)
      $0.member("time", WallTime(nanoseconds: wall).iso8601)
      $0.member("kind", words.kind)
      $0.member("name", words.name)
      $0.member("message", words.message.cut(to: Limit.message))
      writeVerdict(&$0)
      $0.member("ending", ending.name)
      $0.member("certainty", "\(certainty)")
      writeProcess(&$0)
      writeCrash(&$0)
      $0.key("crumbs")
      $0.array(crumbs) { Self.write($1, &$0) }
      $0.key("modules")
      $0.array(modules) { $0.value($1, shortcoming: nil) }
    }
    return json.take() + "\n"
  }

  private func writeVerdict(_ json: inout JSONWriter) {
    let finding = verdict?.finding
    json.member("title", title.cut(to: Limit.message))
    json.member("rule", finding?.rule)
    json.member("fingerprint", verdict?.fingerprint)
    json.member("buildFingerprint", finding?.buildFingerprint)
    json.key("culprit")
    if let culprit = finding?.culprit {
      json.object {
        $0.member("function", culprit.function)
        $0.member("module", culprit.module)
        $0.member("file", culprit.file)
        $0.member("line", culprit.line)
      }
    } else {
      json.null()
    }
    json.key("evidence")
    json.array(evidence) { $0.value($1) }
    json.member("fix", finding?.fix.known)
  }

  private func writeProcess(_ json: inout JSONWriter) {
    json.member("service", service)
    json.member("release", process?.release)
    json.member("environment", process?.environment)
    json.member("host", host)
    json.key("process")
    guard let process else { return json.null() }
    json.object {
      $0.member("id", process.id)
      $0.member("executable", process.executable)
      $0.member("buildID", program?.buildIDText)
      $0.member("opened", WallTime(nanoseconds: process.openedWall).iso8601)
    }
  }

  private func writeCrash(_ json: inout JSONWriter) {
    json.key("signal")
    if let crash {
      json.object {
        $0.member("name", SignalName.of(crash.signal))
        $0.member("number", crash.signal)
        $0.member("code", crash.code)
        $0.member("address", crash.address.map(hexadecimal))
        $0.member("sender", crash.sender?.process)
      }
    } else {
      json.null()
    }
    json.key("thread")
    if let thread = crashed?.thread {
      json.object {
        $0.member("id", thread.kernelID)
        $0.member("name", thread.name)
        $0.member("queue", thread.queue?.label)
        $0.key("onMain")
        $0.value(thread.onMain)
      }
    } else {
      json.null()
    }
    json.key("task")
    json.value(crash?.task)
    json.key("context")
    json.array(context) { $0.value($1.key.cut(to: Limit.text), $1.value.cut) }
    json.key("stack")
    if let crashed { json.value(crashed.stack) } else { json.null() }
  }

  private static func write(_ last: LastCrumb, _ json: inout JSONWriter) {
    let crumb = last.crumb
    json.object {
      $0.member("time", WallTime(nanoseconds: crumb.wall).iso8601)
      $0.key("thread")
      $0.value(last.thread, ordinal: crumb.thread)
      $0.member("queue", crumb.queue?.label)
      $0.member("kind", crumb.kind.name)
      $0.member("level", crumb.level.name)
      $0.member("category", crumb.category.cut(to: Limit.text))
      $0.member("message", crumb.message.cut(to: Limit.text))
      $0.key("data")
      $0.array(crumb.dataBesidesStacks.prefix(Limit.values)) { $0.value($1.key, $1.value.cut) }
    }
  }

  /// The evidence for the verdict, one sentence each.
  var evidence: [String] {
    (verdict?.finding.evidence ?? []).prefix(Limit.values).map { $0.text.cut(to: Limit.text) }
  }
}

extension Module {
  /// The build id in hexadecimal; nil if the file has none.
  var buildIDText: String? {
    buildID.isEmpty ? nil : buildID.map(twoDigits).joined()
  }
}

extension CrumbValue {
  /// A copy with a string truncated to the limit of a death record.
  var cut: CrumbValue {
    if case .string(let text) = self { .string(text.cut(to: DeathRecord.Limit.text)) } else { self }
  }
}
