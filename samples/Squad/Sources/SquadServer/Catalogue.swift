import Foundation
import LoopbackHTTP

/// The heroes that the server knows of, their comics and their pictures; the same each time.
struct Catalogue: Sendable {
  private static let titles = [
    "Captain", "Doctor", "Lady", "Iron", "Silent", "Crimson", "Night", "Solar", "Winter",
  ]
  private static let names = ["Ledger", "Falcon", "Harbour", "Lantern", "Meridian"]

  let count: Int

  /// Answers as the real API would.
  func answer(_ request: HTTPRequest) -> HTTPResponse {
    let path = request.path.split(separator: "/").map(String.init)
    let offset = request.query["offset"].flatMap { Int($0) } ?? 0
    let limit = request.query["limit"].flatMap { Int($0) } ?? 20
    guard offset >= 0, (1...100).contains(limit) else { return .status(409) }
    switch (path.count, path.last) {
    case (3, "characters"):
      let heroes = (1...max(count, 1)).dropFirst(offset).prefix(min(limit, max(0, count - offset)))
      return page(of: heroes.map { hero($0, on: request) }, offset: offset, total: count)
    case (5, "comics"):
      guard let id = Int(path[3]), isKnown(id) else { return .status(404) }
      return page(of: comics(of: id, limit, on: request), offset: 0, total: id % 5)
    case (2, let file?) where path[0] == "images": return image(file)
    default: return .status(404)
    }
  }

  private func isKnown(_ id: Int) -> Bool { (1...max(count, 1)).contains(id) && id <= count }

  private func page(of results: [[String: Any]], offset: Int, total: Int) -> HTTPResponse {
    let body: [String: Any] = [
      "code": 200, "status": "Ok",
      "data": [
        "offset": offset, "limit": results.count, "total": total, "count": results.count,
        "results": results,
      ] as [String: Any],
    ]
    guard let data = try? JSONSerialization.data(withJSONObject: body) else { return .status(500) }
    return HTTPResponse(headers: ["Content-Type": "application/json"], body: data)
  }

  private func name(_ id: Int) -> String {
    let index = id - 1
    let title = Self.titles[index % Self.titles.count]
    let name = Self.names[index / Self.titles.count % Self.names.count]
    let round = index / (Self.titles.count * Self.names.count)
    return round == 0 ? "\(title) \(name)" : "\(title) \(name) \(round + 1)"
  }

  private func hero(_ id: Int, on request: HTTPRequest) -> [String: Any] {
    let about = """
      \(name(id)) keeps watch over district \(id), where nothing has been lost since. \
      Out of costume one works in accounts.
      """
    return [
      "id": id, "name": name(id), "description": id % 4 == 0 ? "" : about,
      // Some have no picture, which the API says in this way.
      "thumbnail": picture(id % 9 == 8 ? "image_not_available" : "\(id)", on: request),
    ]
  }

  private func comics(of id: Int, _ limit: Int, on request: HTTPRequest) -> [[String: Any]] {
    (0..<min(limit, id % 5)).map { number in
      [
        "id": id * 100 + number, "title": "\(name(id)) #\(20 - number)",
        "thumbnail": picture("\(id * 100 + number)", on: request),
      ]
    }
  }

  private func picture(_ file: String, on request: HTTPRequest) -> [String: String] {
    ["path": "http://\(request.headers["host"] ?? "")/images/\(file)", "extension": "pgm"]
  }

  /// A picture that differs from hero to hero: stripes in a direction and of a width of its own.
  private func image(_ file: String) -> HTTPResponse {
    guard file.hasSuffix(".pgm"), let id = Int(file.dropLast(4)) else { return .status(404) }
    let side = 32
    let (dx, dy, width) = (id % 3, (id / 3) % 3, 5 + id % 7)
    let pixels = (0..<side * side).map { index -> UInt8 in
      let along = (index % side) * (dx + 1) + (index / side) * dy
      return UInt8(55 + (along + id) / width % 5 * 50)
    }
    return HTTPResponse(
      headers: ["Content-Type": "image/x-portable-graymap"],
      body: Data("P5\n# hero \(id)\n\(side) \(side)\n255\n".utf8) + pixels)
  }
}
