/// Returns the last `most` numbers as bars, one column each, scaled to the largest.
package func sparks(_ numbers: [Int], _ most: Int) -> String {
  let shown = numbers.suffix(most)
  let tallest = max(1, shown.max() ?? 1)
  let bars = Array("▁▂▃▄▅▆▇█")
  return String(
    shown.map { number in
      number <= 0 ? " " : bars[min(7, Int(Double(number) / Double(tallest) * 8 * 0.999))]
    })
}
