import Foundation

/// Whether a program may go on as nobody, user 65534: only root can, and a namespace may know of root alone.
public let canBecomeNobody: Bool = {
  guard getuid() == 0 else { return false }
  guard let users = try? String(contentsOfFile: "/proc/self/uid_map", encoding: .utf8) else {
    return true
  }
  return users.split(separator: "\n").contains { range in
    let numbers = range.split(separator: " ").compactMap { Int($0) }
    return numbers.count == 3 && (numbers[0]..<numbers[0] + numbers[2]).contains(65534)
  }
}()
