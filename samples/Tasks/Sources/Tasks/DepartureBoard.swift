/// A board that shows departures as long as it is open.
///
/// The bug: the task that fetches them belongs to nobody. It goes on when the board is closed, and shows what it
/// has fetched.
public actor DepartureBoard {
  private let timetable = Timetable()
  private let cancels: Bool
  private var isOpen = false
  private var fetching: Task<Void, Never>?
  /// What it shows.
  public private(set) var rows: [String] = []

  /// Creates a board with the bug or with the fix.
  public init(bug: Bool) { cancels = !bug }

  /// Opens the board, and begins to fetch what it shows.
  public func open() {
    isOpen = true
    fetching = Task {
      let rows = await timetable.rows()
      show(rows)
    }
  }

  /// Closes the board: it shows nothing any more.
  public func close() {
    isOpen = false
    rows = []
    if cancels { fetching?.cancel() }
    fetching = nil
  }

  /// Whether it shows nothing while it is closed.
  public var isRight: Bool { isOpen || rows.isEmpty }

  private func show(_ rows: [String]) {
    if cancels, Task.isCancelled { return }
    self.rows = rows
  }
}

/// Where departures come from.
actor Timetable {
  private let departures = ["10:04 Bergen", "10:31 Oslo"]

  /// What leaves next, as a server says that takes its time.
  func rows() async -> [String] {
    await Task.yield()
    return departures
  }
}
