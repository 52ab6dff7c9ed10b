import DeathRecords
import TextOutput

extension ViolationFlames {
  /// The collapsed format: one line per stack, with its frames separated by semicolons and its
  /// number of violations.
  package var collapsed: String {
    var weights = [Int](repeating: 0, count: stacks.count)
    for profile in profiles {
      for sample in profile.samples { weights[sample.stack] += sample.weight }
    }
    return zip(stacks, weights).map { stack, weight in
      stack.map { word($0.function) }.joined(separator: ";") + " \(weight)\n"
    }.sorted().joined()
  }

  /// Returns a frame's name without the format's special characters.
  private func word(_ function: String) -> String {
    let name = escapingControls(function.replacing(";", with: ":"))
    // A number at the end of a line is its count, and some readers treat `#` as the start of a
    // comment.
    return name.isEmpty ? "?" : name
  }
}

extension ViolationFlames {
  /// Returns a speedscope file: a sampled profile per input, with a sample of weight 1 per
  /// violation.
  package func speedscope(_ version: String) -> String {
    var frames: [NamedFrame: Int] = [:]
    var order: [NamedFrame] = []
    let numbered = stacks.map { stack in
      stack.map { frame in
        if let number = frames[frame] { return number }
        frames[frame] = order.count
        order.append(frame)
        return order.count - 1
      }
    }
    var writer = JSONWriter()
    writer.object { file in
      file.member("$schema", "https://www.speedscope.app/file-format-schema.json")
      file.member("name", "violations")
      file.member("exporter", "crashscan \(version)")
      file.member("activeProfileIndex", 0)
      file.key("shared")
      file.object { shared in
        shared.key("frames")
        shared.array(order) { $0.frame($1) }
      }
      file.key("profiles")
      file.array(profiles) { $0.profile($1, numbered) }
    }
    return writer.take() + "\n"
  }
}

extension JSONWriter {
  fileprivate mutating func frame(_ frame: NamedFrame) {
    object { writer in
      writer.member("name", frame.function)
      if let file = frame.file { writer.member("file", file) }
      if let line = frame.line { writer.member("line", line) }
      if let column = frame.column { writer.member("col", column) }
    }
  }

  fileprivate mutating func profile(_ profile: ViolationFlames.Profile, _ stacks: [[Int]]) {
    breakLine()
    object { writer in
      writer.member("type", "sampled")
      writer.member("name", profile.name)
      writer.member("unit", "none")
      writer.member("startValue", 0)
      writer.member("endValue", profile.samples.reduce(0) { $0 + $1.weight })
      writer.key("samples")
      writer.array(profile.samples) { writer, sample in
        writer.array(stacks[sample.stack]) { $0.value($1) }
      }
      writer.key("weights")
      writer.array(profile.samples) { $0.value($1.weight) }
    }
  }
}
