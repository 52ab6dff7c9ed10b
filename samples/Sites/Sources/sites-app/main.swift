import Foundation
import FoundationNetworking
import HeadlessUI
import SampleStage
import Sites
import SitesServer

/// Loads the list, sorts it, opens a site, refreshes, meets what can go wrong, and goes on in another
/// language without a server.
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
  try await demo.open("Old press", in: first)
  stage.show("A row was tapped whose address is malformed.", first.window)

  demo.server.add(demo.news)
  first.list.listView.table.pullDown(by: 2)
  try await demo.waitForRows(of: first)
  stage.show("The list was pulled down, and there is something new.", first.window)

  demo.server.answer("/sites.json", with: .status(500))
  let new = try demo.launch(language: "en", on: "new device", height: 8)
  try await demo.wait(for: new)
  stage.show("On a new device nothing is saved, and the server fails.", new.window)

  demo.server.answer("/sites.json", with: .text(#"[{"name": 1}]"#))
  new.window.button("Try again")?.tap()
  try await demo.wait(for: new)
  stage.show("“Try again” was tapped, and the answer is malformed.", new.window)

  demo.server.answer("/sites.json", with: nil)
  new.window.button("Try again")?.tap()
  try await demo.waitForRows(of: new)
  stage.show("The third time it is there.", new.window)

  demo.server.stop()
  let second = try demo.launch(language: "bg")
  try await demo.waitForRows(of: second)
  stage.show("The server is down, and the device speaks Bulgarian.", second.window)
}
