import Dispatch
import Foundation

@main
struct AffinityBenchmark {
  static func main() throws {
    try CheckBenchmark().run()
    DispatchQueue.global().async {
      do { try HopBenchmark().run() } catch { fatalError("\(error)") }
      exit(0)
    }
    dispatchMain()
  }
}
