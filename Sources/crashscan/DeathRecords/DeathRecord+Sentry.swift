import IncidentModel
import CLogFormat
import TextOutput

extension DeathRecord {
  /// An envelope with one event: the envelope's header, the item's header, the item.
  var sentryEnvelope: String {
    let event = sentryEvent
    var json = JSONWriter()
    json.object { json in
      json.member("event_id", id)
      json.key("sdk")
      json.sdk()
    }
    let header = json.take()
    json = JSONWriter()
    json.object {
      $0.member("type", "event")
      $0.member("length", event.utf8.count)
    }
    return "\(header)\n\(json.take())\n\(event)\n"
  }

  private var sentryEvent: String {
    var json = JSONWriter()
    json.object { json in
      json.member("event_id", id)
      json.member("timestamp", WallTime(nanoseconds: wall).iso8601)
      json.member("platform", "native")
      json.member("level", "fatal")
      json.member("logger", "mainstay")
      json.key("sdk")
      json.sdk()
      if let host { json.member("server_name", host) }
      if let release = process?.release, Self.isName(release, most: 200) {
        json.member("release", release)
      }
      if let environment = process?.environment, Self.isName(environment, most: 64),
        !environment.contains(" ")
      {
        json.member("environment", environment)
      }
      if let route { json.member("transaction", route.cut(to: 200)) }
      writeException(&json)
      writeThreads(&json)
      writeTags(&json)
      writeContexts(&json)
      json.key("breadcrumbs")
      json.object { json in
        json.key("values")
        json.array(crumbs) { $0.sentry($1.crumb.cut, $1.thread) }
      }
      json.sentryImages(modules)
    }
    return json.take()
  }

  /// The request during which the process died, under the key of Mainstay's adapters or of other
  /// libraries.
  private var route: String? {
    for key in [MS_KEY_REQUEST, "route"] {
      if case .string(let route)? = context.first(where: { $0.key == key })?.value { return route }
    }
    return nil
  }

  private func writeException(_ json: inout JSONWriter) {
    json.key("exception")
    json.object { json in
      json.key("values")
      json.array(CollectionOfOne(words)) { json, words in
        json.object { json in
          json.member("type", words.name)
          json.member(
            "value", (words.message.isEmpty ? title : words.message).cut(to: Limit.message))
          if let crash {
            json.member("thread_id", crash.kernelID)
            json.sentryMechanism(crash)
          } else {
            json.key("mechanism")
            json.object {
              $0.member("type", "mainstay")
              $0.member("handled", false)
            }
          }
          if let crashed { json.sentry(crashed.stack, of: process?.executable) }
        }
      }
    }
  }

  /// Writes the threads. The crashed thread's stack is in the exception.
  private func writeThreads(_ json: inout JSONWriter) {
    guard let crashed else { return }
    json.key("threads")
    json.object { json in
      json.key("values")
      json.beginArray()
      json.sentry(crashed.thread, nil, of: process, hasCrashed: true)
      for other in others { json.sentry(other.thread, other.stack, of: process, hasCrashed: false) }
      json.endArray()
    }
  }

  /// Writes the searchable attributes that Sentry accepts as tags.
  private func writeTags(_ json: inout JSONWriter) {
    var tags = [("death.kind", words.kind), ("death.certainty", "\(certainty)")]
    if let fingerprint = verdict?.fingerprint { tags.append(("death.fingerprint", fingerprint)) }
    if let fingerprint = verdict?.finding.buildFingerprint {
      tags.append(("death.build_fingerprint", fingerprint))
    }
    if let queue = crashed?.thread.queue?.label { tags.append(("queue", queue)) }
    tags += context.map { ($0.key, $0.value.description) }
    var known: Set<String> = []
    json.key("tags")
    json.object { json in
      for (key, value) in tags
      where Self.isTag(key) && Self.isName(value, most: 200, mayHaveSlashes: true)
        && known.insert(key).inserted
      {
        json.key(key)
        json.value(value)
      }
    }
  }

  private func writeContexts(_ json: inout JSONWriter) {
    json.key("contexts")
    json.object { json in
      json.key("death")
      json.object { json in
        json.member("title", title.cut(to: Limit.message))
        json.key("evidence")
        json.array(evidence) { $0.value($1) }
        json.member("fix", verdict?.finding.fix.known)
        json.member("process", process?.id)
        json.member("executable", process?.executable)
      }
      var known: Set<String> = []
      json.key("crumbs")
      json.object { json in
        for (key, value) in context.map({ ($0.key.cut(to: 200), $0.value.cut) })
        where known.insert(key).inserted {
          json.key(key)
          json.value(value.description)
        }
      }
      if let task = crash?.task {
        json.key("task")
        json.value(task)
      }
    }
  }

  /// True if Sentry accepts the key; Sentry drops tags with other keys.
  private static func isTag(_ key: String) -> Bool {
    (1...32).contains(key.utf8.count)
      && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_.:-".contains($0)) }
  }

  private static func isName(_ text: String, most: Int, mayHaveSlashes: Bool = false) -> Bool {
    let isPlain = !text.unicodeScalars.contains { $0.steersTerminals }
    let forbidden: Set<Character> = mayHaveSlashes ? [] : ["/", "\\"]
    return isPlain && !text.isEmpty && text.count <= most && ![".", ".."].contains(text)
      && !text.contains(where: forbidden.contains)
  }
}

extension Crumb {
  /// A copy with the message, category and data truncated to the limits of a death record.
  fileprivate var cut: Crumb {
    var crumb = self
    crumb.message = message.cut(to: DeathRecord.Limit.text)
    crumb.category = category.cut(to: DeathRecord.Limit.text)
    crumb.data = data.prefix(DeathRecord.Limit.values).map { ($0.key, $0.value.cut) }
    return crumb
  }
}

extension JSONWriter {
  fileprivate mutating func sdk() {
    object {
      $0.member("name", "mainstay")
      $0.member("version", mainstayVersion)
    }
  }
}
