import DeathRecords
import IncidentModel

/// Texts that every trace contains, so that their numbers need no lookup.
enum FixedText: Int, CaseIterable {
  case note, lifecycle, uiWork, violation, hop, backgroundTask, hang, error
  case debug, info, notice, warning, severe, fatal
  case crumb, level, queue, onMain, number, cut, interrupting, thread
  case ofQueue

  init(_ kind: CrumbKind) { self = Self.allCases[Int(kind.rawValue)] }

  init(_ level: CrumbLevel) { self = Self.allCases[Self.debug.rawValue + Int(level.rawValue)] }

  var use: PerfettoPackets.Use {
    if self == .ofQueue || rawValue <= Self.error.rawValue { return .category }
    return rawValue <= Self.fatal.rawValue ? .annotationText : .annotationName
  }

  var text: String {
    switch self {
    case .note, .lifecycle, .uiWork, .violation, .hop, .backgroundTask, .hang, .error:
      CrumbKind(rawValue: UInt8(rawValue))?.name ?? ""
    case .debug, .info, .notice, .warning, .severe, .fatal:
      CrumbLevel(rawValue: UInt8(rawValue - Self.debug.rawValue))?.name ?? ""
    case .crumb: "crumb"
    case .level: "level"
    case .queue, .ofQueue: "queue"
    case .onMain: "on main"
    case .number: "number"
    case .cut: "cut"
    case .interrupting: "in a signal handler"
    case .thread: "thread"
    }
  }
}
