import BackgroundLayout
import Foundation
import HeadlessUI
import SampleStage

Stage.run(fixes: ["hop", "pause"]) { stage in
  let articles = [
    Article(
      id: 1, title: "Why queues have labels",
      text: "A label costs nothing. A crash report without one costs an afternoon."),
    Article(
      id: 2, title: "The snapshot nobody sees",
      text: "When an app leaves the front, the system takes a picture of it."),
  ]
  let server = try ArticleServer(articles)
  let store = PositionStore(
    file: URL(fileURLWithPath: stage.options.log + ".positions.json"))
  let remedy = stage.options.bug ? .none : Remedy(rawValue: stage.options.fix ?? "pause") ?? .pause

  let window = Window(title: "Reader")
  let feed = FeedController(
    application: stage.application, server: server.url, store: store, remedy: remedy)
  window.rootViewController = NavigationController(root: feed)
  stage.application.window = window
  stage.application.launch()
  feed.refresh()
  try await stage.wait { window.renderedText().contains("2 articles") }
  stage.show("the first articles are there:", window)

  window.shownViews.lazy.compactMap { $0 as? TableView }.first?.selectRow(at: IndexPath(row: 1))
  stage.show("one is read:", window)
  window.button("‹")?.tap()
  // The list is laid out again before the app leaves the front.
  for _ in 0..<2 { await stage.nextTurn() }

  server.hold()
  server.publish([Article(id: 3, title: "Late news", text: "It came while nobody looked.")])
  feed.refresh()
  stage.say("a download begins; the app goes to the background, and saves what was read")
  stage.application.enterBackground()
  try await stage.wait { feed.answers == 2 }
  stage.say("in the background, the download ends")
  server.release()
  try await stage.wait { feed.answers == 3 }
  // What that answer sent to the main queue runs before the app comes back.
  await stage.nextTurn()
  stage.application.enterForeground()
  try await stage.wait { window.renderedText().contains("Late news") }
  stage.show("back in front:", window)
}
