/// A desk where people wait for their parcels, and a courier brings them.
///
/// The bug: who waits looks at the shelf, writes into the book, and only then stands in line. What is brought
/// meanwhile goes to the shelf, and nobody looks there again: the answer is lost.
public actor ParcelDesk {
  private let book = VisitorBook()
  private let looksAgain: Bool
  private var shelf: Set<String> = []
  private var waiting: [String: CheckedContinuation<Void, Never>] = [:]

  /// Creates a desk with the bug or with the fix.
  public init(bug: Bool) { looksAgain = !bug }

  /// Waits for the parcel of a person, and takes it.
  public func collect(for person: String) async {
    if shelf.remove(person) != nil { return }
    await book.sign(person)
    // Between the two anything may have happened to the desk.
    if looksAgain, shelf.remove(person) != nil { return }
    await withCheckedContinuation { waiting[person] = $0 }
  }

  /// Brings the parcel of a person.
  public func deliver(to person: String) {
    if let continuation = waiting.removeValue(forKey: person) {
      continuation.resume()
    } else {
      shelf.insert(person)
    }
  }
}

/// Who has been at the desk.
actor VisitorBook {
  private var names: [String] = []

  func sign(_ name: String) { names.append(name) }
}
