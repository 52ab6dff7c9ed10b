import TextOutput

/// Why a command cannot go on.
struct CommandFailure: Error {
  var message: VisibleText
  var code: ExitCode = .unreadableInput
}
