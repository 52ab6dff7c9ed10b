/// One state of the process: what it does when it is entered and left, and what each action means in it.
///
/// An action that means nothing in a state is ignored there: taps come late, and twice.
package protocol KYSState: AnyObject {
  /// Where the process stands while this is its state.
  var step: Step { get }

  /// It is the state from now on.
  func enter()
  /// It is the state no more.
  func exit()

  /// Begins the process.
  func check()
  /// Goes on to update the status.
  func update()
  /// Ends what the process is at.
  func cancel()
  /// Saves the new status.
  func save(status: KYSStatus)
}

extension KYSState {
  package func enter() {}
  package func exit() {}
  package func check() {}
  package func update() {}
  package func cancel() {}
  package func save(status: KYSStatus) {}
}
