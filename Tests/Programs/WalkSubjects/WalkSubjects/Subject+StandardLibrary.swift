import Foundation

private struct Coded: Codable {
  let name: String
  init(name: String) { self.name = name }
  init(from decoder: any Decoder) throws {
    compareWalks("Decodable")
    name = try decoder.singleValueContainer().decode(String.self)
  }
  func encode(to encoder: any Encoder) throws {
    compareWalks("Encodable")
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

private struct Described: CustomStringConvertible {
  var description: String {
    compareWalks("description")
    return "described"
  }
}

extension Subject {
  static let standardLibrary: [Subject] = [
    Subject("sort") {
      _ = [3, 1, 2].sorted {
        compareWalks("sort")
        return $0 < $1
      }
    },
    Subject("map, filter, reduce") {
      _ = [1, 2].map { number in
        compareWalks("map")
        return number
      }
      _ = [1, 2].lazy.filter { _ in
        compareWalks("lazy filter")
        return true
      }.reduce(0) { sum, number in
        compareWalks("reduce")
        return sum + number
      }
    },
    Subject("dictionary") {
      _ = Dictionary(grouping: [1, 2, 3]) { number in
        compareWalks("grouping")
        return number % 2
      }.mapValues { values in
        compareWalks("mapValues")
        return values.count
      }
    },
    Subject("string") {
      _ = "one two".split { character in
        compareWalks("split")
        return character == " "
      }
      _ = "\(Described())"
    },
    Subject("pointers") {
      withUnsafeTemporaryAllocation(of: Int.self, capacity: 100) { _ in
        compareWalks("a temporary allocation")
      }
      [1, 2].withUnsafeBufferPointer { _ in compareWalks("withUnsafeBufferPointer") }
    },
    Subject("Codable") {
      let data = try? JSONEncoder().encode([Coded(name: "a"), Coded(name: "b")])
      _ = try? JSONDecoder().decode([Coded].self, from: data ?? Data())
    },
    Subject("regex") {
      _ = "one two".replacing(/[a-z]+/) { match in
        compareWalks("regex")
        return String(match.output.reversed())
      }
    },
    Subject("NotificationCenter") {
      let name = Notification.Name("walk")
      let center = NotificationCenter()
      let token = center.addObserver(forName: name, object: nil, queue: nil) { _ in
        compareWalks("a notification")
      }
      center.post(name: name, object: nil)
      center.removeObserver(token)
    },
    Subject("autoclosure and predicate") {
      _ = NSPredicate { _, _ in
        compareWalks("NSPredicate")
        return true
      }.evaluate(with: NSObject())
    },
  ]
}
