import FoundationEssentials
import IncidentModel

/// The reason why bytes are not a summary.
package struct SummaryError: Error, CustomStringConvertible {
  package let description: String
}

extension Summary {
  /// Decodes a summary from JSON.
  package init(json: [UInt8]) throws(SummaryError) {
    do {
      self = try JSONDecoder().decode(Summary.self, from: Data(json))
    } catch {
      throw SummaryError(description: "not a summary of crashscan summarize")
    }
    guard schema == Summary.schema else {
      throw SummaryError(
        description: "a summary of another version, \(schema) (expected \(Summary.schema))")
    }
    // A finding with a wrong fingerprint would be counted as another finding.
    guard examples.allSatisfy({ $0.key == $0.value.fingerprint }) else {
      throw SummaryError(
        description: "a damaged summary: the key of a finding differs from its fingerprint")
    }
  }

  /// The JSON encoding, which is the same for equal summaries.
  package var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else {
      preconditionFailure("every summary can be encoded as JSON")
    }
    return Self.withoutControls(String(decoding: data, as: UTF8.self)) + "\n"
  }

  /// The JSON text with control characters escaped.
  private static func withoutControls(_ json: String) -> String {
    if json.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return json }
    var escaped = ""
    for scalar in json.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        // A character beyond U+FFFF needs two escapes. Outside ASCII, only letters of texts occur
        // here.
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

/// Reads the fingerprints of an earlier report.
package enum Baseline {
  private struct Known: Decodable {
    struct Finding: Decodable { var fingerprint: String }
    var schema: String
    var findings: [Finding]
  }

  /// The fingerprints in a JSON report; nil if the bytes are not a report.
  package static func fingerprints(json: [UInt8]) -> Set<String>? {
    guard let known = try? JSONDecoder().decode(Known.self, from: Data(json)),
      known.schema == Report.schema
    else { return fingerprints(rows: json) }
    return Set(known.findings.map(\.fingerprint))
  }

  private struct Row: Decodable {
    var row: String
    var schema: String?
    var fingerprint: String?
  }

  /// Returns the fingerprints in the rows of a fleet summary, one row per line.
  private static func fingerprints(rows json: [UInt8]) -> Set<String>? {
    let rows = json.split(separator: UInt8(ascii: "\n")).map {
      try? JSONDecoder().decode(Row.self, from: Data($0))
    }
    guard let head = rows.first, head?.row == "fleet", head?.schema == Fleet.schema else {
      return nil
    }
    return Set(rows.compactMap { $0 }.filter { $0.row == "finding" }.compactMap(\.fingerprint))
  }
}
