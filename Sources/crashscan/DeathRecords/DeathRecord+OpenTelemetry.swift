import IncidentModel
import TextOutput

extension DeathRecord {
  /// The version of the semantic conventions that define the names.
  private static let conventions = "https://opentelemetry.io/schemas/1.44.0"

  /// A request with one log record, the event `app.crash`.
  ///
  /// The sender is not the process that died: facts about the dead process are attributes of the
  /// event, as the conventions require.
  var openTelemetry: String {
    var json = JSONWriter()
    json.object { json in
      json.key("resourceLogs")
      json.array(CollectionOfOne(())) { json, _ in
        json.object { json in
          json.key("resource")
          json.object { json in
            json.key("attributes")
            json.attributes(resource)
          }
          json.key("scopeLogs")
          json.array(CollectionOfOne(())) { json, _ in
            json.object { json in
              json.key("scope")
              json.object {
                $0.member("name", "mainstay")
                $0.member("version", mainstayVersion)
              }
              json.key("logRecords")
              json.array(CollectionOfOne(())) { json, _ in writeRecord(&json) }
              json.member("schemaUrl", Self.conventions)
            }
          }
          json.member("schemaUrl", Self.conventions)
        }
      }
    }
    return json.take() + "\n"
  }

  private func writeRecord(_ json: inout JSONWriter) {
    json.object { json in
      json.member("timeUnixNano", "\(wall)")
      json.member("severityNumber", 21)
      json.member("severityText", "FATAL")
      json.member("eventName", "app.crash")
      json.key("body")
      json.object { $0.member("stringValue", title.cut(to: Limit.message)) }
      json.key("attributes")
      json.attributes(event)
    }
  }

  private var resource: [OpenTelemetryAttribute] {
    var attributes = OpenTelemetryAttributes()
    attributes["service.name"] = .text(service ?? "unknown_service")
    attributes["host.name"] = host.map(OpenTelemetryValue.text)
    return attributes.all
  }

  private var event: [OpenTelemetryAttribute] {
    var attributes = OpenTelemetryAttributes()
    let message = words.message.isEmpty ? title : words.message
    let stack = stackText
    attributes["app.crash.id"] = .text(id)
    attributes["app.build_id"] = program?.buildIDText.map(OpenTelemetryValue.text)
    attributes["exception.type"] = .text(words.name)
    attributes["exception.message"] = .text(message.cut(to: Limit.message))
    attributes["exception.stacktrace"] = stack.isEmpty ? nil : .text(stack)
    add(to: &attributes, process)
    add(to: &attributes, verdict?.finding.culprit)
    addOwn(to: &attributes)
    for (key, value) in context {
      attributes["mainstay.context.\(key.cut(to: Limit.text))"] = OpenTelemetryValue(value.cut)
    }
    return attributes.all
  }

  private func add(to attributes: inout OpenTelemetryAttributes, _ process: Incident.Process?) {
    attributes["service.name"] = service.map(OpenTelemetryValue.text)
    attributes["service.version"] = process?.release.map(OpenTelemetryValue.text)
    attributes["deployment.environment.name"] =
      process?.environment.map(OpenTelemetryValue.text)
    attributes["os.type"] = .text("linux")
    attributes["process.pid"] = process.map { .number(Int64($0.id)) }
    attributes["process.executable.name"] = service.map(OpenTelemetryValue.text)
    attributes["process.executable.path"] = process.map { .text($0.executable) }
    attributes["process.executable.build_id.gnu"] =
      program?.buildIDText.map(OpenTelemetryValue.text)
    attributes["thread.id"] = crash.map { .number(Int64($0.kernelID)) }
    attributes["thread.name"] = crashed.map { .text($0.thread.name) }
  }

  private func add(to attributes: inout OpenTelemetryAttributes, _ culprit: CodePlace?) {
    attributes["code.function.name"] = culprit.map { .text($0.function.cut(to: Limit.text)) }
    attributes["code.file.path"] = culprit?.file.map(OpenTelemetryValue.text)
    attributes["code.line.number"] = culprit?.line.map { .number(Int64($0)) }
  }

  /// Adds attributes that the conventions do not define.
  private func addOwn(to attributes: inout OpenTelemetryAttributes) {
    attributes["mainstay.death.kind"] = .text(words.kind)
    attributes["mainstay.death.certainty"] = .text("\(certainty)")
    attributes["mainstay.death.rule"] = verdict.map { .text($0.finding.rule) }
    attributes["mainstay.death.fingerprint"] = verdict.map { .text($0.fingerprint) }
    attributes["mainstay.death.build_fingerprint"] = verdict?.finding.buildFingerprint.map {
      .text($0)
    }
    attributes["mainstay.death.evidence"] = evidence.isEmpty ? nil : .texts(evidence)
    attributes["mainstay.death.fix"] = verdict.flatMap {
      $0.finding.fix.known.map { .text($0) }
    }
    if let crash {
      attributes["mainstay.signal.name"] = .text(SignalName.of(crash.signal))
      attributes["mainstay.signal.number"] = .number(Int64(crash.signal))
      attributes["mainstay.signal.code"] = .number(Int64(crash.code))
      attributes["mainstay.signal.address"] = crash.address.map { .text(hexadecimal($0)) }
      attributes["mainstay.queue.name"] = crashed?.thread.queue.map { .text($0.label) }
      attributes["mainstay.task.id"] = crash.task.map { .text("\($0.id)") }
      attributes["mainstay.task.name"] = crash.task?.name.map(OpenTelemetryValue.text)
    }
    let lines = crumbs.map(\.line)
    attributes["mainstay.crumbs"] = lines.isEmpty ? nil : .texts(lines)
  }
}

extension DeathRecord.LastCrumb {
  /// The crumb in one line: time, level, text.
  fileprivate var line: String {
    let category = crumb.category.isEmpty ? crumb.kind.name : crumb.category
    let data = crumb.dataBesidesStacks.prefix(DeathRecord.Limit.values).map {
      " \($0.key)=\($0.value)"
    }.joined()
    let text = "\(crumb.level.name) \(category): \(crumb.message)\(data)"
    return WallTime(nanoseconds: crumb.wall).iso8601 + " "
      + escapingControls(text.cut(to: DeathRecord.Limit.text))
  }
}

/// A value of an attribute.
private enum OpenTelemetryValue {
  case text(String)
  case texts([String])
  case number(Int64)
  case double(Double)
  case flag(Bool)

  init(_ value: CrumbValue) {
    switch value {
    case .string(let text): self = .text(text)
    case .integer(let number): self = .number(number)
    case .double(let double): self = .double(double)
    case .boolean(let flag): self = .flag(flag)
    }
  }
}

private typealias OpenTelemetryAttribute = (key: String, value: OpenTelemetryValue)

/// A list of attributes, each key once.
private struct OpenTelemetryAttributes {
  private(set) var all: [OpenTelemetryAttribute] = []
  private var keys: Set<String> = []

  /// The value of a key; the first assignment wins.
  subscript(key: String) -> OpenTelemetryValue? {
    get { all.first { $0.key == key }?.value }
    set {
      guard let newValue, keys.insert(key).inserted else { return }
      all.append((key, newValue))
    }
  }
}

extension JSONWriter {
  fileprivate mutating func attributes(_ attributes: [OpenTelemetryAttribute]) {
    array(attributes) { json, attribute in
      json.object {
        $0.member("key", attribute.key)
        $0.key("value")
        $0.value(attribute.value)
      }
    }
  }

  /// Writes a value in the protobuf JSON mapping: integers as strings, non-finite numbers by name.
  private mutating func value(_ value: OpenTelemetryValue) {
    object { json in
      switch value {
      case .text(let text): json.member("stringValue", text)
      case .number(let number): json.member("intValue", "\(number)")
      case .flag(let flag): json.member("boolValue", flag)
      case .double(let double):
        json.key("doubleValue")
        if double.isNaN {
          json.value("NaN")
        } else if double.isInfinite {
          json.value(double < 0 ? "-Infinity" : "Infinity")
        } else {
          json.value(double)
        }
      case .texts(let texts):
        json.key("arrayValue")
        json.object { json in
          json.key("values")
          json.array(texts) { json, text in json.object { $0.member("stringValue", text) } }
        }
      }
    }
  }
}
