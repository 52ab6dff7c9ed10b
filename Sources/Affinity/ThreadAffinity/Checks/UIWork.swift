internal import CRecorder
internal import Dispatch

/// Marks `body` as UI work, which belongs on the main queue. A recorder records the work and its duration.
///
/// A call off the main queue is a violation; `body` still runs unless the policy ends the process.
@inline(never)
public func uiWork<Result, Failure: Error>(
  _ name: StaticString, file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
  function: StaticString = #function, _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  let site = CallSite(file: file, line: line, column: column, function: function)
  if !MainQueue.isCurrent {
    var failure = CheckFailure.mainQueue(from: ms_caller())
    failure.isUIWork = true
    ViolationReporter.report(failure, message: { name.description }, site: site)
  }
  guard let recorder = AffinityRecording.recorder else { return try body() }
  let start = DispatchTime.now().uptimeNanoseconds
  defer {
    recorder.recordUIWork(
      name, site: site, nanoseconds: DispatchTime.now().uptimeNanoseconds - start)
  }
  return try body()
}
