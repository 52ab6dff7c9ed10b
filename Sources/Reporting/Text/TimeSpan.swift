/// A span of time in a few characters: `341µs`, `12.3ms`, `1.20s`, `5m03s`, `2h05m`, `3d04h`.
func brief(nanoseconds: UInt64) -> String {
  switch nanoseconds {
  case ..<1_000: return "\(nanoseconds)ns"
  case ..<1_000_000: return "\(nanoseconds / 1_000)µs"
  case ..<1_000_000_000: return tenths(nanoseconds / 100_000, "ms")
  case ..<60_000_000_000: return hundredths(nanoseconds / 10_000_000)
  default: break
  }
  let seconds = nanoseconds / 1_000_000_000
  if seconds < 3600 { return "\(seconds / 60)m\(two(seconds % 60))s" }
  if seconds < 86_400 { return "\(seconds / 3600)h\(two(seconds / 60 % 60))m" }
  return "\(seconds / 86_400)d\(two(seconds / 3600 % 24))h"
}

/// A number with its thousands apart: `80,123`.
func grouped(_ number: UInt64) -> String {
  var text = ""
  for (index, digit) in String(number).reversed().enumerated() {
    if index > 0 && index % 3 == 0 { text.append(",") }
    text.append(digit)
  }
  return String(text.reversed())
}

private func tenths(_ number: UInt64, _ unit: String) -> String {
  "\(number / 10).\(number % 10)\(unit)"
}

private func hundredths(_ number: UInt64) -> String { "\(number / 100).\(two(number % 100))s" }

private func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
