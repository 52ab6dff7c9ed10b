internal import CRecorder

/// A value that belongs to the main queue. Each read and each write is checked.
///
///     @MainQueueBound("title") var title = ""
@propertyWrapper
public struct MainQueueBound<Value> {
  private var value: Value
  private let name: StaticString
  private let isRecorded: Bool
  private let site: CallSite

  /// Binds a value to the main queue.
  ///
  /// `name` is the name of the value in violations. If it is `recorded`, a recorder records each access, which shows
  /// use from several queues.
  public init(
    wrappedValue: Value, _ name: StaticString = "bound value", recorded: Bool = false,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    value = wrappedValue
    self.name = name
    isRecorded = recorded
    site = CallSite(file: file, line: line, column: column, function: function)
  }

  /// The value; reads and writes are allowed only on the main queue.
  public var wrappedValue: Value {
    @inline(never) get {
      check(isWrite: false, from: ms_caller())
      return value
    }
    @inline(never) set {
      check(isWrite: true, from: ms_caller())
      value = newValue
    }
    @inline(never) _modify {
      check(isWrite: true, from: ms_caller())
      yield &value
    }
  }

  private func check(isWrite: Bool, from caller: UInt) {
    if !MainQueue.isCurrent {
      let failure = CheckFailure.mainQueue(from: caller)
      ViolationReporter.report(
        failure, message: { "\(isWrite ? "write" : "read") of \(name)" }, site: site)
    }
    if isRecorded {
      AffinityRecording.recorder?.recordAccess(name, site: site, isWrite: isWrite)
    }
  }
}

extension MainQueueBound: Sendable where Value: Sendable {}
