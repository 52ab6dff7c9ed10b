import CrashAnalysis
import IncidentModel

/// The tables to which a timeline's columns refer: a value that many events share is written once.
struct TimelineTables {
  /// The thread and queue of an event.
  struct Place: Hashable {
    var thread: Int
    /// The number of the queue, from 1; 0 for none.
    var queue: UInt32
    /// The relation to the main queue: 0 off the queue, 1 on the queue, 2 if unknown.
    var onMain: Int
  }

  /// The kind of an event.
  struct Sort: Hashable {
    var kind: CrumbKind
    var level: CrumbLevel
    var category: Int
    var marks: Int
  }

  /// The keys and types of an event's data.
  struct Shape: Hashable {
    struct Member: Hashable {
      var key: Int
      var type: String
    }
    var members: [Member]
  }

  var texts = Interned<String>()
  var places = Interned<Place>()
  var sorts = Interned<Sort>()
  var shapes = Interned<Shape>()
  var frames = Interned<Frame>()

  mutating func place(_ columns: TimelineColumns, _ index: Int) -> Int {
    let marks = columns.marks[index]
    let onMain = marks.contains(.onMain) ? 1 : marks.contains(.mainUnknown) ? 2 : 0
    return places.number(
      of: Place(thread: Int(columns.thread[index]), queue: columns.queue[index], onMain: onMain))
  }

  mutating func sort(_ columns: TimelineColumns, _ index: Int) -> Int {
    let marks = columns.marks[index]
    let isCut =
      columns.texts.isCut(at: index) || marks.contains(.messageCut) || marks.contains(.dataCut)
    let category = String(decoding: columns.texts.category(at: index), as: UTF8.self)
    return sorts.number(
      of: Sort(
        kind: columns.kind[index], level: columns.level[index],
        category: texts.number(of: category),
        marks: (isCut ? 1 : 0) | (marks.contains(.interrupting) ? 2 : 0)))
  }

  mutating func message(_ columns: TimelineColumns, _ index: Int) -> Int {
    texts.number(of: String(decoding: columns.texts.message(at: index), as: UTF8.self))
  }

  /// Returns the number of the data's shape, then its values; texts are indices into the table of
  /// texts.
  mutating func data(_ columns: TimelineColumns, _ index: Int) -> [DataCell] {
    let data = columns.texts.data(at: index)
    if data.isEmpty { return [] }
    var shape = Shape(members: [])
    var cells: [DataCell] = []
    for (key, value) in data where !columns.kind[index].isMark(key) {
      let (type, cell) = self.cell(value)
      shape.members.append(Shape.Member(key: texts.number(of: key), type: type))
      cells.append(cell)
    }
    return [.number(Int64(shapes.number(of: shape)))] + cells
  }

  /// A cell of a row of data.
  enum DataCell {
    case number(Int64)
    /// A number as text, because a reader with double precision would round it.
    case literal(String)
  }

  private mutating func cell(_ value: CrumbValue) -> (type: String, cell: DataCell) {
    switch value {
    case .string(let text): ("s", .number(Int64(texts.number(of: text))))
    case .integer(let number):
      ("i", number.magnitude < 1 << 53 ? .number(number) : .literal("\(number)"))
    case .double(let number): ("d", .literal("\(number)"))
    case .boolean(let truth): ("b", .number(truth ? 1 : 0))
    }
  }
}

/// Distinct values, numbered in the order of their first use.
struct Interned<Value: Hashable> {
  private(set) var all: [Value] = []
  private var numbers: [Value: Int] = [:]

  mutating func number(of value: Value) -> Int {
    if let number = numbers[value] { return number }
    numbers[value] = all.count
    all.append(value)
    return all.count - 1
  }
}
