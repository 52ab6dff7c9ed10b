/// What states may ask of the machine that they are states of.
package protocol StateContext: AnyObject {
  // MARK: Transitions

  func gotoCheckState()
  func gotoPromptState()
  func gotoUpdateState()
  func gotoSaveState(_ status: KYSStatus)
  func gotoFinalState(_ outcome: Outcome)

  // MARK: The world

  /// Fetches the profile, and remembers it.
  func getStatus(completion: @escaping StatusService.Answer)
  /// Saves a status that was checked today, and remembers the profile.
  func saveStatus(_ status: KYSStatus, completion: @escaping StatusService.Answer)
  /// The profile, as far as it is known.
  var profile: KYSProfile { get }
  /// Whether that is outdated.
  var isOutdated: Bool { get }
  /// Whether the user has asked to be left alone, and not long ago.
  var isPostponed: Bool { get }
  /// Remembers that the user asks to be left alone.
  func postpone()

  // MARK: The state

  /// Whether states act on answers that come when they were left already; this is a bug.
  var takesLateAnswers: Bool { get }
  /// The step of the current state is another one now.
  func stepChanged()
}
