/// Remembers across launches that a user has postponed.
package protocol PostponementKeeping: AnyObject, Sendable {
  /// What was kept last; nil where nothing was, or it cannot be read.
  var postponement: Postponement? { get set }
}
