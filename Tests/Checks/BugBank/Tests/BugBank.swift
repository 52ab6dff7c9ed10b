import AffinityTesting
import BugBank
import Breadcrumbs
import CrashTesting
import Synchronization

/// A program with a threading bug, and a test of it as a user would write it from the documentation.
struct Bug: Sendable {
  /// Whether it shows in each run, or only in most.
  enum Kind { case certain, race }

  let kind: Kind
  let test: @Sendable () async throws -> Void

  init(_ kind: Kind = .certain, _ test: @escaping @Sendable () async throws -> Void) {
    self.kind = kind
    self.test = test
  }
}

// MARK: Callbacks and delegates

extension Bug {
  static let labelOffMain = Bug {
    await expectNoViolations {
      let board = PriceBoard()
      await onQueue { board.received(3) }
    }
  }

  static let labelInAStorm = Bug {
    try await CallbackStorm(seed: 1, deliveries: 40).run { scenario in
      let board = PriceBoard()
      scenario.callback("received") { n in board.received(n) }
    }
  }

  static let shownAfterClose = Bug {
    try await CallbackStorm(seed: 1).run { scenario in
      let screen = ClosingScreen()
      scenario.callback("received") { screen.received() }
      scenario.onCancel { screen.close() }
      scenario.check("a closed screen shows nothing") { !screen.hasShownWhenClosed }
    }
  }

  static let layoutInBackground = Bug {
    try await CallbackStorm(seed: 1).run { scenario in
      let feed = BackgroundFeed()
      scenario.callback("received") { feed.received() }
      scenario.lifecycle.onEvent { event in
        if event == .didEnterBackground { feed.follow(isInBackground: true) }
        if event == .willEnterForeground { feed.follow(isInBackground: false) }
      }
      scenario.check("no layout in the background") { !feed.hasLaidOutInBackground }
    }
  }

  static let answeredTwice = Bug {
    try await CallbackStorm(seed: 1).run { scenario in
      let payment = Payment()
      scenario.callback("confirmed") { payment.confirmed() }
      scenario.check("books once") { payment.bookings <= 1 }
    }
  }

  static let delegateTraps = Bug {
    try await CallbackStorm(replaying: "on queue: received").run(inChildren: true) { scenario in
      let delegate = StoreDelegate()
      scenario.callback("received") { delegate.received() }
    }
  }

  static let trapBehindAQueue = Bug {
    try await CallbackStorm(replaying: "on main: received").run(inChildren: true) { scenario in
      let importer = Importer()
      scenario.callback("received") { importer.received() }
    }
  }

  static let latePicture = Bug {
    try await CallbackStorm(seed: 1).run { scenario in
      let pictures = scenario.completions("picture", never: [.twice])
      let row = PictureRow { _, done in pictures.add(done) }
      scenario.action("scroll") { row.scroll() }
      scenario.check("shows its own picture") { row.showsItsOwn }
    }
  }

  static let olderAnswerWins = Bug {
    try await CallbackStorm(seed: 1).run { scenario in
      let answers = scenario.completions("answer", never: [.twice, .concurrently])
      let search = Search { done in answers.add(done) }
      let last = Mutex(0)
      scenario.action("type") { search.type() }
      scenario.check("never goes back") {
        last.withLock { last in search.newest(after: last).map { last = $0 } != nil }
      }
    }
  }
}

// MARK: Notifications and timers

extension Bug {
  static let notifiedOffMain = Bug {
    try await CallbackStorm(seed: 1, deliveries: 40).run { scenario in
      let badge = Badge()
      scenario.keep(badge)
      scenario.callback("changed") { badge.notifications.post(name: Badge.changed, object: nil) }
    }
  }

  static let notifiedAfterClose = Bug {
    try await CallbackStorm(seed: 1).run { scenario in
      let player = Player()
      scenario.callback("interrupted") {
        player.notifications.post(name: Player.interrupted, object: nil)
      }
      scenario.onCancel { player.close() }
      scenario.check("is not told when closed") { !player.wasToldWhenClosed }
    }
  }

  static let timerAfterCancel = Bug {
    try await CallbackStorm(seed: 1, deliveries: 40).run { scenario in
      let reminder = Reminder()
      scenario.callback("start") { reminder.start() }
      scenario.onCancel { reminder.cancel() }
      scenario.check("is silent when cancelled") { !reminder.hasRungWhenCancelled }
    }
  }

  static let savedTwice = Bug {
    try await CallbackStorm(replaying: "on main, twice: changed").run { scenario in
      let editor = Autosave()
      scenario.callback("changed") { editor.changed() }
      scenario.check("saves once for all that come together") { editor.saves <= 1 }
    }
  }

  static let backgroundTaskLeaks = Bug {
    let storm = CallbackStorm(replaying: "on main: upload; background; expiration")
    try await storm.run(forbidding: "background-task-leak") { scenario in
      let app = scenario.lifecycle
      let upload = Upload()
      scenario.callback("upload") {
        let task = app.beginBackgroundTask("upload") { upload.expired() }
        upload.began { task.end() }
      }
    }
  }
}

// MARK: Actors across await

extension Bug {
  static let loadedTwice = Bug {
    try await CallbackStorm(seed: 1).run { scenario in
      let cache = PictureCache()
      scenario.callback("show") { _ = await cache.picture() }
      scenario.check("loads once") { await cache.loads <= 1 }
    }
  }

  static let overdrawn = Bug {
    try await CallbackStorm(seed: 1).run { scenario in
      let account = Account()
      scenario.callback("withdraw") { await account.withdraw(60) }
      scenario.check("is never overdrawn") { await account.balance >= 0 }
    }
  }

  static let lostUpdate = Bug {
    try await CallbackStorm(seed: 1).run { scenario in
      let counter = Counter()
      scenario.callback("add") { await counter.add() }
      scenario.check("counts all") { await counter.count == scenario.deliveries }
    }
  }

  static let tasksOvertake = Bug {
    try await CallbackStorm(seed: 1).run { scenario in
      let log = EventLog()
      scenario.callback("event", never: [.concurrently]) { log.record() }
      scenario.check("is in order") { await log.isInOrder }
    }
  }

  static let olderAsyncAnswerWins = Bug {
    try await CallbackStorm(seed: 1).run { scenario in
      let answers = scenario.completions("answer", never: [.twice])
      let search = AsyncSearch { await withCheckedContinuation { c in answers.add { c.resume() } } }
      scenario.action("type") { await search.type() }
      scenario.check("never goes back") { await search.isNewest }
    }
  }

  static let filledAfterClose = Bug {
    try await CallbackStorm(seed: 1).run { scenario in
      let profile = Profile()
      scenario.callback("load") { await profile.load() }
      scenario.onCancel { await profile.close() }
      scenario.check("stays empty when closed") { await !profile.isFilledWhenClosed }
    }
  }

  static let rowsOffTheirQueue = Bug {
    try await CallbackStorm(seed: 1, deliveries: 40).run { scenario in
      let store = RowStore()
      scenario.callback("received") { store.received() }
    }
  }

  static let ledgerOutsideItsActor = Bug {
    try await CallbackStorm(seed: 1, deliveries: 40).run { scenario in
      let ledger = Ledger()
      scenario.keep(ledger)
      scenario.callback("received") { ledger.received() }
    }
  }
}

// MARK: Races

extension Bug {
  static let countsTooFew = Bug(.race) {
    try await CallbackStorm(seed: 1).run { scenario in
      let visitors = Visitors()
      scenario.callback("enter") { visitors.enter() }
      scenario.check("counts all") { visitors.countsAll }
    }
  }

  static let openedTwice = Bug(.race) {
    try await CallbackStorm(seed: 1).run { scenario in
      let connection = Connection()
      scenario.callback("use") { connection.use() }
      scenario.check("opens once") { connection.timesOpened <= 1 }
    }
  }

  static let twoEnds = Bug(.race) {
    try await CallbackStorm(seed: 1).run { scenario in
      let download = Download()
      scenario.callback("succeeded") { download.succeeded() }
      scenario.callback("failed") { download.failed() }
      scenario.check("reports once") { download.reported <= 1 }
    }
  }

  static let racesThatTrap = Bug(.race) {
    try await CallbackStorm(seed: 1).run { scenario in
      let jobs = Jobs()
      scenario.callback("take") { jobs.take() }
    }
  }

  static let tornTally = Bug(.race) {
    try await CallbackStorm(seed: 1).run { scenario in
      let tally = Tally()
      scenario.callback("add") { tally.add() }
      scenario.callback("read") { tally.read() }
      scenario.check("is whole") { !tally.wasTorn }
    }
  }
}

// MARK: Re-entrancy, late and double answers, order

extension Bug {
  static let changedWhileTold = Bug {
    try await CallbackStorm(seed: 1, deliveries: 5).run(inChildren: true) { scenario in
      let listeners = Listeners()
      scenario.callback("changed") { listeners.changed() }
    }
  }

  static let waitsForItself = Bug {
    let storm = CallbackStorm(replaying: "on queue: received", patience: .seconds(1))
    try await storm.run(inChildren: true) { scenario in
      let session = Session()
      scenario.callback("received") { session.received() }
    }
  }

  static let mainWaitsForMain = Bug {
    let storm = CallbackStorm(replaying: "on main: received", patience: .seconds(1))
    try await storm.run(inChildren: true) { scenario in
      let list = SyncedList()
      scenario.callback("received") { list.received() }
    }
  }

  static let resumedTwice = Bug {
    try await CallbackStorm(seed: 1, deliveries: 20).run(inChildren: true) { scenario in
      let request = Request()
      scenario.callback("send") { await request.send() }
      scenario.callback("answered") { request.answered() }
      scenario.callback("timed out") { request.timedOut() }
    }
  }

  static let shownOutOfOrder = Bug {
    try await CallbackStorm(seed: 1).run { scenario in
      let chat = Chat()
      scenario.callback("received", never: [.concurrently]) { chat.received() }
      scenario.check("shows in order") { chat.showsInOrder }
    }
  }
}
