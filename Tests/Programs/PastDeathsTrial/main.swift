import Dispatch
import Glibc
import Mainstay
import PastDeaths

// A service that records to LOG, hands out what earlier runs of it died of, and then does what it is told:
// `past-deaths-trial LOG WORD…`. Each death handed out is a line: its kind, its id, its title.

let told = Array(CommandLine.arguments.dropFirst())
let log = told[0]
let diagnostics = Mainstay.start(
  path: log, release: "1.4.2", environment: "trial", capacity: 1 << 20, keepingLast: 5)
let deaths = PastDeaths(log: diagnostics.recorder.path)
let finished = DispatchSemaphore(value: 0)

struct NotNow: Error {}

@Sendable func tell(_ outcome: PastDeaths.Outcome) {
  print("finished \(outcome.delivered.count)")
  for problem in outcome.problems { print("problem \(problem)") }
  fflush(nil)
  finished.signal()
}

func deliver(_ body: @escaping @Sendable (DeathReport) throws -> Void) {
  deaths.deliver(as: .json, body, completion: tell)
  finished.wait()
}

func die() { UnsafeMutablePointer<Int>(bitPattern: 8)!.pointee = 1 }

for word in told.dropFirst() {
  switch word {
  case "hand-out":
    deliver { death in
      print("\(death.kind) \(death.id) \(death.title)")
      print(String(decoding: death.contents, as: UTF8.self), terminator: "")
    }
  case "refuse": deliver { _ in throw NotNow() }
  case "die-taking": deliver { _ in kill(getpid(), SIGKILL) }
  case "twice":
    // The second look finds the first at it.
    let (isIn, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    deaths.deliver(
      as: .json,
      { _ in
        isIn.signal()
        goOn.wait()
      }, completion: tell)
    isIn.wait()
    deliver { _ in print("taken by the second") }
    goOn.signal()
    finished.wait()
  case "where":
    let main = pthread_self()
    deliver { _ in
      var signals = sigset_t()
      pthread_sigmask(SIG_SETMASK, nil, &signals)
      let isOwn = pthread_equal(pthread_self(), main) == 0
      let blocks = sigismember(&signals, SIGTERM) == 1 && sigismember(&signals, SIGSEGV) == 0
      print("own \(isOwn) blocks \(blocks) nice \(getpriority(.init(PRIO_PROCESS.rawValue), 0))")
    }
  case let word where word.hasPrefix("write="):
    deaths.write(
      as: .sentryEnvelope, to: String(word.dropFirst("write=".count)), completion: tell)
    finished.wait()
  case "say":
    print("here")
    fflush(nil)
  case "wait": _ = readLine()
  case "odd-context":
    let long = String(repeating: "ö", count: 150)
    withCrumbs([
      "two words": "\u{1B}[2J\n", "line": "a\nb", "long": .string(long), "": "nothing",
      "service.name": "another", "nan": .double(.nan), "inf": .double(-.infinity), "ok": true,
      "route": "GET /stock/:item",
    ]) { die() }
  case "crash":
    fflush(nil)
    withCrumbs(["route": "GET /stock/:item", "request": 42]) { die() }
  case "fail":
    fflush(nil)
    fatalError("the till does not add up")
  case "eat":
    fflush(nil)
    while let piece = malloc(1 << 20) { memset(piece, 1, 1 << 20) }
  case "kill": kill(getpid(), SIGKILL)
  case "term":
    fflush(nil)
    kill(getpid(), SIGTERM)
    pause()
  default: exit(64)
  }
}
