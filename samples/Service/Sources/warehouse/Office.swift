import Glibc
import Hummingbird
import Mainstay

/// What ends the day.
struct Office {
  func close(_ status: Int) {
    exit(Int32(status))
  }

  func leave(_ status: Int) {
    _exit(Int32(status))
  }

  func giveUp() {
    abort()
  }

  /// Counts the till once more on the way out.
  func closeWithTill(_ status: Int) {
    atexit { Till.shared.count(-1) }
    exit(EXIT_SUCCESS + Int32(status))
  }
}

/// The money.
final class Till: Sendable {
  static let shared = Till()
  private let drawers = [3, 4, 5]

  func count(_ drawer: Int) {
    let coins = drawers[drawer + drawers.count * 2]
    print(coins)
  }
}

/// The catalogue, all of which is read at once.
final class Catalogue {
  private var pages: [[UInt64]] = []

  func read(_ megabytes: Int) -> Int {
    for page in 0..<megabytes {
      pages.append([UInt64](repeating: UInt64(page), count: 1 << 17))
    }
    return pages.count
  }
}

struct OfficeRoutes {
  let recorder: BreadcrumbRecorder
  let office = Office()

  func add(to routes: Routes) {
    routes.post("close") { request, _ in
      office.close(request.number("status"))
      return "closed"
    }
    routes.post("leave") { request, _ in
      office.leave(request.number("status"))
      return "left"
    }
    routes.post("give-up") { _, _ in
      office.giveUp()
      return "given up"
    }
    routes.post("till") { request, _ in
      office.closeWithTill(request.number("status"))
      return "counted"
    }
    routes.post("catalogue") { request, _ in "\(Catalogue().read(request.number("megabytes")))" }
    routes.post("restock") { request, _ in
      let sku = request.word("sku")
      Task.detached(name: "restock") { print(Shelves().shelf(of: sku)) }
      return "restocking"
    }
  }
}
