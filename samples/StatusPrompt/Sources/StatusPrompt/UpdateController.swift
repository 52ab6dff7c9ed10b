import HeadlessUI
import StatusModel

/// The modal screen on which the user says what their status is now: cancel, or save.
final class UpdateController: ViewController, @unchecked Sendable {
  private let onCancel: () -> Void
  private let onSave: (KYSStatus) -> Void
  private let choices = StackView(.vertical)
  private let save = Button("Save")
  private var chosen: KYSStatus?

  init(
    _ profile: KYSProfile, onCancel: @escaping () -> Void, onSave: @escaping (KYSStatus) -> Void
  ) {
    chosen = profile.status
    self.onCancel = onCancel
    self.onSave = onSave
    super.init()
    title = "Update your status"
  }

  override func makeView() -> View {
    let buttons = StackView(
      .horizontal, spacing: 1, [Button("Cancel", onTap: onCancel), save])
    let question = Label("What has your check of this month said?", lines: 0)
    return Sheet(title, [question, choices, buttons])
  }

  override func viewDidLoad() {
    for status in KYSStatus.allCases {
      choices.addArrangedSubview(Button { [weak self] in self?.choose(status) })
    }
    save.onTap = { [weak self] in
      guard let self, let chosen else { return }
      onSave(chosen)
    }
    showChoice()
  }

  private func choose(_ status: KYSStatus) {
    chosen = status
    showChoice()
  }

  private func showChoice() {
    save.isEnabled = chosen != nil
    for (view, status) in zip(choices.arrangedSubviews, KYSStatus.allCases) {
      (view as? Button)?.title = "\(status == chosen ? "●" : "○") \(status.text)"
    }
  }
}
