import HeadlessUI
import StatusModel
import ThreadAffinity

/// The user's own page: the status, what is being done about it, and what went wrong.
package final class HomeController: ViewController, @unchecked Sendable {
  private let status = Label()
  private let activity = Label()
  private let again = Button("Try again")
  private let discard = Button("Discard")
  private let sign = Button("Sign out")
  private let notice = StackView(.horizontal, spacing: 1)
  /// What the user can do about a status that could not be saved, and to leave.
  var onTryAgain: (() -> Void)?
  var onDiscard: (() -> Void)?
  var onSignInOrOut: (() -> Void)?
  /// Whether the user has left, and is not shown to anybody.
  var isSignedOut = false { didSet { sign.title = isSignedOut ? "Sign in" : "Sign out" } }

  package override init() {
    super.init()
    title = "My page"
  }

  package override func makeView() -> View {
    StackView(.vertical, [status, activity, notice, sign])
  }

  package override func viewDidLoad() {
    status.accessibilityLabel = "status"
    activity.accessibilityLabel = "activity"
    activity.numberOfLines = 0
    notice.addArrangedSubview(again)
    notice.addArrangedSubview(discard)
    notice.isHidden = true
    again.onTap = { [weak self] in self?.onTryAgain?() }
    discard.onTap = { [weak self] in self?.onDiscard?() }
    sign.onTap = { [weak self] in self?.onSignInOrOut?() }
  }

  /// Shows a profile, and what is being done.
  func show(_ profile: KYSProfile, activity text: String, isFailure: Bool = false) {
    status.text = profile.text
    activity.text = text
    notice.isHidden = !isFailure
  }
}
