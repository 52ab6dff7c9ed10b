import Hummingbird
import Mainstay  // 1
import MainstayHummingbird  // 2
import MainstayNIO  // 3

let recorder = Mainstay.start().recorder  // 4: crumbs, crashes, hangs, in a log
let watches = HangWatch.all()  // 5: event loops that do not answer

let router = Router()
router.add(middleware: CrumbMiddleware(recorder: recorder))  // 6: a trail of requests
router.get("share/:people") { _, context in
  let people = try context.parameters.require("people", as: Int.self)
  return "\(100 / people)"  // the bug: nobody is there
}
let port = Environment().get("PORT", as: Int.self) ?? 8080
let app = Application(
  router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)))
try await app.runService()
