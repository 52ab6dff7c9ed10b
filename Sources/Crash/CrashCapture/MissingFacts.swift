internal import CRecorder

extension CrashHandler {
  /// The features that are off in this process, because of its build, its kernel or its container, as
  /// phrases; empty if no fact is missing. The facts are in `docs/dependencies.md`.
  package static var missingFeatures: [String] {
    let word = ms_facts_word()
    var features: [String] = []
    for bit in 0..<UInt32(MS_FACTS.rawValue)
    where word >> (bit + 32) & 1 == 1 && word >> bit & 1 == 0 {
      let feature = String(cString: ms_fact_without(bit))
      if !features.contains(feature) { features.append(feature) }
    }
    return features
  }
}
