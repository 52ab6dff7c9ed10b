import Foundation
import FoundationNetworking
import HeadlessUI
import SampleStage
import SampleSupport
import Squad
import SquadServer

/// The app in the hands of somebody who hires two heroes, fires one whose picture is under way, and loses
/// the network.
@MainActor
final class Story {
  private let stage: Stage
  private let server: HeroServer
  private let files: URL
  private let images: ImageLoader
  private let surroundings: Surroundings
  private var app: SquadApp
  /// Whether the screens are printed in the theme's colors.
  private let isColored: Bool
  private let window = Window(size: Size(width: 48, height: 22), title: "Squad")
  private let heroes = "/v1/public/characters"
  private let latePath = "/images/2.pgm"

  init(_ stage: Stage) throws {
    self.stage = stage
    server = try HeroServer()
    files = URL(fileURLWithPath: stage.options.log).deletingLastPathComponent()
      .appendingPathComponent("squad-files")
    try? FileManager.default.removeItem(at: files)
    let session = URLSession.withoutCache(queue: "squad.network")
    images = ImageLoader(session)
    let variables = ProcessInfo.processInfo.environment
    let theme = variables["SQUAD_THEME"].flatMap { Theme(named: $0) }
    isColored = theme != nil
    surroundings = Surroundings(
      data: DataProvider(
        api: .live(Remote(session), at: server.url), persister: Persister(directory: files)),
      images: .live(images),
      strings: Strings(preferring: [variables["LANG"] ?? "en"]), theme: theme ?? .light,
      care: Self.care(stage.options))
    app = SquadApp(surroundings)
  }

  private static func care(_ options: SampleOptions) -> ImageCare {
    if options.bug { return [] }
    return options.fix == "hop" ? .hops : .full
  }

  func play() async throws {
    defer { try? FileManager.default.removeItem(at: files) }
    let late = server.hold(latePath)
    let missing = server.hold("/images/12.pgm")
    server.answer("/images/12.pgm", with: .notFound)
    stage.application.window = window
    window.rootViewController = app.root
    stage.application.launch()
    try await listHasCome()
    try await otherPicturesHaveCome()
    show("The heroes are here, but for one picture, which takes its time.")

    try await hire(row: 1)
    try await hire(
      row: 0, showing: "A row was tapped: the hero's last comics, and a button to hire.")
    show("Two were hired.")

    try await fireFirst()
    late.open()
    try await picturesHaveCome()
    show("The first of them was fired, and then the late picture came.")
    sayWhoIsInThePicture()

    app.list.screen.table.drag(by: Point(x: 0, y: 10 * 4))
    window.layoutIfNeeded()
    // Not before its cell is in the window.
    missing.open()
    try await picturesHaveCome()
    show("Further down, one picture is not to be found.")
    try await loseTheNetwork()
  }

  /// The server fails, for the list from the file and for a detail that no file has; then it is back.
  private func loseTheNetwork() async throws {
    server.answer(heroes, with: .status(503))
    app = SquadApp(surroundings)
    window.rootViewController = app.root
    try await listHasCome()
    try await picturesHaveCome()
    show("Launched anew, while the server fails: asked three times, the list is from the file.")

    try await open(row: 2)
    show("A detail that was never opened is in no file, and says so.")

    server.recover()
    window.button(surroundings.strings(.retry))?.tap()
    try await detailHasCome()
    app.detail?.screen.drag(by: 9)
    show("The server is back, and “Try again” was tapped.")
  }

  private func listHasCome() async throws {
    try await stage.wait {
      switch self.app.list.store.state.status {
      case .loaded, .persisted, .error: true
      case .idle, .loading: false
      }
    }
  }

  private func open(row: Int) async throws {
    app.list.screen.table.selectRow(at: IndexPath(row: row))
    try await detailHasCome()
  }

  /// The open detail's comics are there, or an error is.
  private func detailHasCome() async throws {
    try await stage.wait {
      guard let state = self.app.detail?.store.state else { return false }
      return state.status != .idle && state.status != .loading && state.membership != .unknown
    }
    try await otherPicturesHaveCome()
  }

  private func show(_ caption: String) {
    if isColored {
      stage.say("\(caption)\n\(app.painted(window))\n")
    } else {
      stage.show(caption, window)
    }
  }

  /// All but the late one.
  private func otherPicturesHaveCome() async throws {
    window.layoutIfNeeded()
    try await stage.wait { self.images.underWay.allSatisfy { $0.path == self.latePath } }
    await stage.nextTurn()
  }

  private func picturesHaveCome() async throws {
    window.layoutIfNeeded()
    try await stage.wait { self.images.underWay.isEmpty }
    // The last of them may have been handed to the main queue just now.
    await stage.nextTurn()
  }

  private func hire(row: Int, showing caption: String? = nil) async throws {
    let members = app.list.store.state.squad.count
    if let caption {
      try await open(row: row)
      app.detail?.screen.drag(by: 9)
      show(caption)
    } else {
      app.list.screen.table.selectRow(at: IndexPath(row: row))
      try await stage.wait { self.app.detail?.store.state.membership == .stranger }
    }
    app.detail?.screen.button.tap()
    note("hired")
    try await stage.wait { self.app.detail?.store.state.membership == .member }
    app.navigation.popViewController()
    try await stage.wait { self.app.list.store.state.squad.count == members + 1 }
  }

  private func fireFirst() async throws {
    app.list.screen.strip.tapMember(at: 0)
    try await stage.wait { self.app.detail?.store.state.membership == .member }
    app.detail?.screen.button.tap()
    show("Firing asks first.")
    app.detail?.screen.confirmation.fire.tap()
    note("fired")
    try await stage.wait { self.app.detail?.store.state.membership == .stranger }
    app.navigation.popViewController()
    try await stage.wait { self.app.list.store.state.squad.count == 1 }
  }

  /// Leaves a crumb of what was done to whoever's detail is open.
  private func note(_ deed: String) {
    let hero = app.detail?.hero.name ?? ""
    stage.recorder.record(deed, category: "squad", data: ["hero": .string(hero)])
  }

  private func sayWhoIsInThePicture() {
    guard let cell = app.list.screen.strip.cells.first, let hero = cell.hero else { return }
    let pictured = cell.picturedName ?? "nobody"
    stage.say("The squad's cell of \(hero.name) shows the picture of \(pictured).\n")
  }
}
