/// Returns a number with thousands separators: `80,123`.
package func grouped(_ number: UInt64) -> String {
  var text = ""
  for (index, digit) in String(number).reversed().enumerated() {
    if index > 0 && index % 3 == 0 { text.append(",") }
    text.append(digit)
  }
  return String(text.reversed())
}
