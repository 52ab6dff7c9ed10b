import IncidentModel

/// Makes crumbs of the breadcrumbs that other recorders keep.
enum CrumbReading {
  /// - Parameters:
  ///   - type: the kind that its recorder gave it.
  ///   - data: keys and values, as text.
  static func crumb(
    category: String, message: String, type: String, data: [(key: String, value: String)],
    wall: UInt64?, level: String = ""
  ) -> CrashReport.Crumb {
    var crumb = CrashReport.Crumb(wall: wall, level: self.level(level))
    crumb.category = category.isEmpty ? type : category
    crumb.message = message
    crumb.data = Array(data.prefix(32))
    let state = isStateful(category, type) ? data.first { $0.key == "state" }?.value : nil
    if let event = lifecycle(message) ?? state.flatMap(transition) {
      crumb.kind = .lifecycle
      crumb.message = event
    } else if message.isEmpty {
      crumb.message = data.first?.value ?? type
    }
    return crumb
  }

  private static func isStateful(_ category: String, _ type: String) -> Bool {
    let words = (category + " " + type).lowercased()
    return words.contains("lifecycle") || words.contains("state") || words.contains("navigation")
  }

  /// What a state's name says of the process.
  private static func transition(_ state: String) -> String? {
    switch state.lowercased() {
    case "background": "did enter background"
    case "foreground", "active": "did become active"
    default: lifecycle(state)
    }
  }

  /// The transition that a text names; nil for any other text.
  static func lifecycle(_ text: String) -> String? {
    guard text.utf8.count < 80 else { return nil }
    // Every recorder spells and spaces the same few notifications in its own way.
    let letters = text.lowercased().filter { $0.isLetter }
    for (name, event) in transitions where letters.hasSuffix(name) {
      let before = letters.dropLast(name.count)
      if before.isEmpty || owners.contains(String(before)) { return event }
    }
    return nil
  }

  private static let owners: Set<String> = [
    "app", "application", "uiapplication", "uiscene", "scene", "theapplication", "theapp",
    "process",
    "nsapplication", "appdelegateapplication", "uiapplicationnotification",
  ]

  private static let transitions: [(name: String, event: String)] = [
    ("didenterbackgroundnotification", "did enter background"),
    ("didenterbackground", "did enter background"), ("enteredbackground", "did enter background"),
    ("movedtobackground", "did enter background"), ("wenttobackground", "did enter background"),
    ("willenterforegroundnotification", "will enter foreground"),
    ("willenterforeground", "will enter foreground"),
    ("enteredforeground", "will enter foreground"), ("movedtoforeground", "will enter foreground"),
    ("didbecomeactivenotification", "did become active"), ("didbecomeactive", "did become active"),
    ("becameactive", "did become active"), ("didactivate", "did become active"),
    ("activated", "did become active"), ("willdeactivate", "will resign active"),
    ("willresignactivenotification", "will resign active"),
    ("willresignactive", "will resign active"), ("willterminate", "will terminate"),
    ("didreceivememorywarning", "did receive memory warning"),
  ]

  private static func level(_ name: String) -> CrumbLevel {
    switch name.lowercased() {
    case "debug": .debug
    case "warning": .warning
    case "error": .error
    case "fatal", "critical": .fatal
    default: .info
    }
  }
}
