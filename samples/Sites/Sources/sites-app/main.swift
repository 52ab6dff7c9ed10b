import Foundation
import FoundationNetworking
import HeadlessUI
import SampleStage
import Sites
import SitesServer

/// Loads the list, sorts it, opens a site, refreshes, and goes on in another language without a server.
Stage.run { stage in
  let demo = try Demo(stage)
  defer { demo.removeFiles() }
  let first = try demo.launch(language: "en")
  stage.show("The app is launched: a wheel turns while the list is awaited.", first.window)
  try await demo.waitForRows(of: first)
  stage.show("The list has come; what has no image says so.", first.window)

  first.list.listView.sortButton.tap()
  try await demo.waitForRows(of: first)
  stage.show("The sort button was tapped.", first.window)

  try await demo.open("Moon", in: first)
  stage.show("A row was tapped.", first.window)
  first.window.button("Done")?.tap()

  demo.server.add(demo.news)
  first.list.listView.table.pullDown(by: 2)
  try await demo.waitForRows(of: first)
  stage.show("The list was pulled down, and there is something new.", first.window)

  demo.server.stop()
  let second = try demo.launch(language: "bg")
  try await demo.waitForRows(of: second)
  stage.show("The server is down, and the device speaks Bulgarian.", second.window)
}
