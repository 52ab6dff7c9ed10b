import FoundationEssentials
import IncidentModel

/// Why bytes are no summary.
package struct SummaryError: Error, CustomStringConvertible {
  package let description: String
}

extension Summary {
  /// The summary that bytes of JSON hold.
  package init(json: [UInt8]) throws(SummaryError) {
    do {
      self = try JSONDecoder().decode(Summary.self, from: Data(json))
    } catch {
      throw SummaryError(description: "it is not a summary that crashscan summarize wrote")
    }
    guard schema == Summary.schema else {
      throw SummaryError(description: "it is a summary of another version: \(schema)")
    }
    // What is named otherwise than by its own content would count as something else.
    guard examples.allSatisfy({ $0.key == $0.value.fingerprint }) else {
      throw SummaryError(description: "it names findings by fingerprints that are not theirs")
    }
  }

  /// As JSON, the same for equal summaries.
  package var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else {
      preconditionFailure("a summary has nothing that JSON cannot hold")
    }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}

/// What an earlier report already had.
package enum Baseline {
  private struct Known: Decodable {
    struct Finding: Decodable { var fingerprint: String }
    var schema: String
    var findings: [Finding]
  }

  /// The fingerprints in a JSON report; nil where the bytes are none.
  package static func fingerprints(json: [UInt8]) -> Set<String>? {
    guard let known = try? JSONDecoder().decode(Known.self, from: Data(json)),
      known.schema == Report.schema
    else { return nil }
    return Set(known.findings.map(\.fingerprint))
  }
}
