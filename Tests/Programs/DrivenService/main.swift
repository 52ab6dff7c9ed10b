// A service that does what it is told, a line of standard input after the other, and answers each with
// "done": for tests of those who look on. `driven-service LOG [CAPACITY]`
//
//   note TEXT       a note from the worker queue       violate         UI work off the main queue
//   hop N           N hops to the main queue            work            UI work within UI work
//   hang MS         the main queue is held              fill N          N crumbs, of all kinds of chatter
//   hold FILE       the same, until there is such a file
//   flood RATE S    so many notes a second              threads N       N threads that leave a note each
//   stray           UI work that a watching hop saw off the main queue
//   astray          UI work that a hop brought to another queue      wait MS
//   unique N        N notes with a text of its own each
//   active, background                                  crash, exit

import Breadcrumbs
import CrashCapture
import Dispatch
import Glibc
import ThreadAffinity

let arguments = CommandLine.arguments
guard arguments.count > 1 else {
  print("usage: driven-service LOG [CAPACITY]")
  exit(64)
}
signal(SIGPIPE, SIG_IGN)
let capacity = arguments.count > 2 ? Int(arguments[2]) ?? 1 << 20 : 1 << 20
let recorder = try BreadcrumbRecorder(path: arguments[1], capacity: capacity)
CrashHandler.install(
  recordingTo: recorder, options: CrashOptions(hangThreshold: .milliseconds(300)))

ViolationPolicy.default = .record.repeating(.always)
let stage = Stage()

/// Not through stdio, which would keep it back.
@Sendable func answer(_ text: String) { _ = write(STDOUT_FILENO, text, text.utf8.count) }

/// Not `readLine`, which never comes to an end once a signal has interrupted something.
@Sendable func nextLine() -> String? {
  var line: [UInt8] = []
  var byte: UInt8 = 0
  while true {
    let got = read(STDIN_FILENO, &byte, 1)
    if got < 0 && errno == EINTR { continue }
    if got <= 0 { return nil }
    if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
    line.append(byte)
  }
}

let commands = DispatchQueue(label: "com.example.commands")
commands.async {
  while let line = nextLine() {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    if let command = words.first { stage.run(command, words.count > 1 ? words[1] : "") }
    answer("done\n")
  }
  exit(0)
}
dispatchMain()
