import IncidentModel

/// How a language sends work to the main thread.
enum MainHopWords {
  /// The call that does it, as code of the language that a place is written in has it; nil where neither its file
  /// nor its name tells the language.
  static func text(_ place: CodePlace) -> String? {
    let function = place.function
    if function.contains("-[") || function.contains("+[") { return objectiveC }
    guard let dot = place.file?.lastIndex(of: "."), let file = place.file else {
      return FunctionName(function).last.hasSuffix(")") && !function.contains("::") ? swift : nil
    }
    switch file[file.index(after: dot)...] {
    case "swift": return swift
    case "m", "mm": return objectiveC
    case "kt", "java": return "runOnUiThread, or Handler(Looper.getMainLooper()).post"
    case "cs": return "the dispatcher's BeginInvoke, or SynchronizationContext.Post"
    default: return nil
    }
  }

  private static let swift = "DispatchQueue.main.async { … }"
  private static let objectiveC = "dispatch_async(dispatch_get_main_queue(), ^{ … })"
}
