import BugBank
import Dispatch
import Foundation
import Mainstay

// bank-recording PROGRAM LOG: a program of the bank as it runs somewhere, called back at the bad moment, and recorded.

let recorder = Mainstay.start(path: CommandLine.arguments[2]).recorder
let network = DispatchQueue(label: "network")

/// Keeps what a program is about for as long as the process lives.
var kept: [any Sendable] = []

@MainActor func keep<Subject: Sendable>(_ subject: Subject) -> Subject {
  kept.append(subject)
  return subject
}

func later(_ milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
  network.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: body)
}

/// What happens to each program; those that neither check an affinity nor end leave nothing to find.
let lives: [String: @MainActor () -> Void] = [
  "labelOffMain": {
    let board = keep(PriceBoard())
    network.async { board.received(3) }
  },
  "labelInAStorm": {
    let board = keep(PriceBoard())
    later(5) { board.received(3) }
  },
  "shownAfterClose": {
    let screen = keep(ClosingScreen())
    screen.close()
    network.async { screen.received() }
  },
  "layoutInBackground": {
    let feed = keep(BackgroundFeed())
    feed.follow(isInBackground: true)
    recorder.recordLifecycle(.didEnterBackground)
    later(50) { feed.received() }
  },
  "answeredTwice": {
    let payment = keep(Payment())
    network.async { payment.confirmed() }
    network.async { payment.confirmed() }
  },
  "delegateTraps": {
    let delegate = keep(StoreDelegate())
    network.async { delegate.received() }
  },
  "trapBehindAQueue": {
    let importer = keep(Importer())
    network.async { importer.received() }
  },
  "latePicture": {
    let row = keep(PictureRow { _, done in later(5, done) })
    row.scroll()
    row.scroll()
  },
  "olderAnswerWins": {
    let search = keep(Search { done in later(5, done) })
    search.type()
    search.type()
  },
  "notifiedOffMain": {
    let badge = keep(Badge())
    network.async { badge.notifications.post(name: Badge.changed, object: nil) }
  },
  "notifiedAfterClose": {
    let player = keep(Player())
    player.close()
    network.async { player.notifications.post(name: Player.interrupted, object: nil) }
  },
  "timerAfterCancel": {
    let reminder = keep(Reminder())
    reminder.start()
    reminder.cancel()
  },
  "savedTwice": {
    let editor = keep(Autosave())
    editor.changed()
    editor.changed()
  },
  "backgroundTaskLeaks": {
    let upload = keep(Upload())
    let task = recorder.beginBackgroundTask("upload")
    upload.began { task.end() }
    recorder.recordLifecycle(.didEnterBackground)
    later(20) {
      task.expire()
      upload.expired()
    }
  },
  "loadedTwice": {
    let cache = keep(PictureCache())
    for _ in 1...2 { Task { await cache.picture() } }
  },
  "overdrawn": {
    let account = keep(Account())
    for _ in 1...2 { Task { await account.withdraw(60) } }
  },
  "lostUpdate": {
    let counter = keep(Counter())
    for _ in 1...2 { Task { await counter.add() } }
  },
  "tasksOvertake": {
    let log = keep(EventLog())
    network.async { for _ in 1...10 { log.record() } }
  },
  "olderAsyncAnswerWins": {
    let search = keep(AsyncSearch { try? await Task.sleep(for: .milliseconds(5)) })
    for _ in 1...2 { Task { await search.type() } }
  },
  "filledAfterClose": {
    let profile = keep(Profile())
    Task { await profile.load() }
    profile.close()
  },
  "rowsOffTheirQueue": {
    let store = keep(RowStore())
    network.async { store.received() }
  },
  "ledgerOutsideItsActor": {
    let ledger = keep(Ledger())
    network.async { ledger.received() }
  },
  "countsTooFew": {
    let visitors = keep(Visitors())
    for _ in 1...2 { Thread { visitors.enter() }.start() }
  },
  "openedTwice": {
    let connection = keep(Connection())
    for _ in 1...2 { Thread { connection.use() }.start() }
  },
  "twoEnds": {
    let download = keep(Download())
    Thread { download.succeeded() }.start()
    Thread { download.failed() }.start()
  },
  "racesThatTrap": {
    let jobs = keep(Jobs())
    for _ in 1...2 { Thread { jobs.take() }.start() }
  },
  "tornTally": {
    let tally = keep(Tally())
    Thread { tally.add() }.start()
    Thread { tally.read() }.start()
  },
  "changedWhileTold": {
    let listeners = keep(Listeners())
    network.async { listeners.changed() }
  },
  "waitsForItself": {
    let session = keep(Session())
    network.async { session.received() }
  },
  "mainWaitsForMain": {
    let list = keep(SyncedList())
    list.received()
  },
  "resumedTwice": {
    let request = keep(Request())
    Task { await request.send() }
    later(10) { request.answered() }
    later(20) { request.timedOut() }
  },
  "shownOutOfOrder": {
    let chat = keep(Chat())
    network.async {
      chat.received()
      DispatchQueue.main.async { chat.received() }
    }
  },
]

guard let life = lives[CommandLine.arguments[1]] else { fatalError("no such program") }
recorder.recordLifecycle(.didLaunch)
DispatchQueue.main.async { life() }
DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { exit(0) }
dispatchMain()
