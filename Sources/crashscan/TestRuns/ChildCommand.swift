import Glibc

/// A child process that runs a command in a separate process group.
struct ChildCommand {
  let id: pid_t
  /// The status from `waitpid`; nil while the command runs.
  private(set) var status: Int32?

  /// - Parameter output: The file for standard output; nil for this process's standard output.
  init(
    executable: String, arguments: [String], environment: [String], directory: String?,
    output: String? = nil
  ) throws(TestRunFailure) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The kernel stops a background process group that reads from the terminal.
    if isatty(STDIN_FILENO) == 1 {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    if let output {
      posix_spawn_file_actions_addopen(
        &actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var usual = sigset_t()
    sigemptyset(&none)
    sigemptyset(&usual)
    for signal in RunSignals.all { sigaddset(&usual, signal) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    posix_spawnattr_setpgroup(&attributes, 0)
    let words = arguments.map { strdup($0) } + [nil]
    let settings = environment.map { strdup($0) } + [nil]
    defer { for text in words + settings { free(text) } }
    var child: pid_t = 0
    let here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(here) }
    if let directory, chdir(directory) != 0 {
      throw TestRunFailure("\(directory): \(String(cString: strerror(errno)))")
    }
    defer { if directory != nil { fchdir(here) } }
    let code = posix_spawn(&child, executable, &actions, &attributes, words, settings)
    guard code == 0 else {
      throw TestRunFailure("\(executable): \(String(cString: strerror(code)))")
    }
    id = child
  }

  /// Updates `status` if the command has ended.
  mutating func refresh() {
    guard status == nil else { return }
    var state: Int32 = 0
    if waitpid(id, &state, WNOHANG) == id { status = state }
  }

  /// The exit code in a shell's encoding; nil while the command runs.
  var exitCode: Int32? {
    status.map { $0 & 0x7f == 0 ? $0 >> 8 & 0xff : 128 + ($0 & 0x7f) }
  }

  func send(_ signal: Int32) { kill(-id, signal) }
}

/// The reason why a run could not start or continue.
package struct TestRunFailure: Error {
  package let text: String
  init(_ text: String) { self.text = text }
}
