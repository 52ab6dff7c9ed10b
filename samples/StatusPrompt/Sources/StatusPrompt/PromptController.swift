import HeadlessUI
import StatusModel

/// Asks after the launch whether the user would like to update their status.
final class PromptController: ViewController, @unchecked Sendable {
  private let profile: KYSProfile
  private let onUpdate: () -> Void
  private let onPostpone: () -> Void

  init(
    _ profile: KYSProfile, onUpdate: @escaping () -> Void, onPostpone: @escaping () -> Void
  ) {
    self.profile = profile
    self.onUpdate = onUpdate
    self.onPostpone = onPostpone
    super.init()
    title = "Know your status"
  }

  override func makeView() -> View {
    let question = Label(
      "Your KYS is outdated (\(profile.text)). Would you like to update it?", lines: 0)
    let buttons = StackView(
      .horizontal, spacing: 1,
      [Button("Update", onTap: onUpdate), Button("Not now", onTap: onPostpone)])
    return Sheet(title, [question, buttons])
  }
}
