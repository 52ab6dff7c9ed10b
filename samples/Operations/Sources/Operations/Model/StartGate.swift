/// Lets operations start when the script is loaded and the screen is there, whichever comes last.
struct StartGate {
  private(set) var isScriptLoaded = false
  private(set) var isScreenShown = false
  /// Who waits, in the order they came.
  private(set) var waiting: [OperationID] = []

  var isOpen: Bool { isScriptLoaded && isScreenShown }

  /// Takes in an operation; what it returns may start now.
  mutating func ask(_ id: OperationID) -> [OperationID] {
    waiting.append(id)
    return release()
  }

  /// The script was evaluated; what it returns may start now.
  mutating func scriptLoaded() -> [OperationID] {
    isScriptLoaded = true
    return release()
  }

  /// The screen has appeared; what it returns may start now.
  mutating func screenShown() -> [OperationID] {
    isScreenShown = true
    return release()
  }

  /// There is no script any more; who waited is forgotten, and has to ask again.
  mutating func scriptDropped() {
    isScriptLoaded = false
    waiting = []
  }

  private mutating func release() -> [OperationID] {
    guard isOpen else { return [] }
    defer { waiting = [] }
    return waiting
  }
}
