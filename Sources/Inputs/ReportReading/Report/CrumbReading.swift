import IncidentModel

/// Converts the breadcrumbs of other recorders to crumbs.
enum CrumbReading {
  /// - Parameters:
  ///   - type: the breadcrumb type that the recorder assigned.
  ///   - data: the keys and values as text.
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
      crumb.message = "\(event.text)"
    } else if message.isEmpty {
      crumb.message = data.first?.value ?? type
    }
    return crumb
  }

  private static func isStateful(_ category: String, _ type: String) -> Bool {
    let words = (category + " " + type).lowercased()
    return words.contains("lifecycle") || words.contains("state") || words.contains("navigation")
  }

  /// The lifecycle step for the name of a state.
  private static func transition(_ state: String) -> LifecycleStep? {
    switch state.lowercased() {
    case "background": .didEnterBackground
    case "foreground", "active": .didBecomeActive
    default: lifecycle(state)
    }
  }

  /// The transition that a text names; nil for any other text.
  static func lifecycle(_ text: String) -> LifecycleStep? {
    guard text.utf8.count < 80 else { return nil }
    // Recorders spell and space the same few notification names differently.
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

  private static let transitions: [(name: String, event: LifecycleStep)] = [
    ("didenterbackgroundnotification", .didEnterBackground),
    ("didenterbackground", .didEnterBackground), ("enteredbackground", .didEnterBackground),
    ("movedtobackground", .didEnterBackground), ("wenttobackground", .didEnterBackground),
    ("willenterforegroundnotification", .willEnterForeground),
    ("willenterforeground", .willEnterForeground),
    ("enteredforeground", .willEnterForeground), ("movedtoforeground", .willEnterForeground),
    ("didbecomeactivenotification", .didBecomeActive), ("didbecomeactive", .didBecomeActive),
    ("becameactive", .didBecomeActive), ("didactivate", .didBecomeActive),
    ("activated", .didBecomeActive), ("willdeactivate", .willResignActive),
    ("willresignactivenotification", .willResignActive),
    ("willresignactive", .willResignActive), ("willterminate", .willTerminate),
    ("didreceivememorywarning", .didReceiveMemoryWarning),
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
