import CWalkCheck
import CWalkSubjects
import Foundation
import Synchronization
import WalkSubjects

/// Compares walks inside all Swift, C and C++ subjects.
func checkSubjects() async -> Bool {
  let before = Subject.totals
  for subject in Subject.all { await subject.run() }
  var count: UInt32 = 0
  let native = UnsafeBufferPointer(start: ms_native_subjects(&count), count: Int(count))
  for subject in native { subject.run() }
  let after = Subject.totals
  print(
    """
    subjects: \(Subject.all.count) in Swift, \(count) in C and C++, \
    \(after.captures - before.captures) walks, \(after.frames - before.frames) frames; \
    \(after.uninformed - before.uninformed) differ above a function without unwind information, \
    \(after.unexplained - before.unexplained) unexplained
    """)
  return after.unexplained == before.unexplained
}

/// What is single-stepped in Swift: the standard library, Foundation, Dispatch.
func runSteppedSwift() {
  var words = "the quick fox jumps".split(separator: " ").map(String.init)
  words.sort()
  let counts = Dictionary(words.map { ($0, 1) }, uniquingKeysWith: +)
  let data = try? JSONEncoder().encode(counts)
  _ = try? JSONDecoder().decode([String: Int].self, from: data ?? Data())
  _ = words.joined(separator: ",").firstMatch(of: /l[a-z]+/)
  DispatchQueue(label: "stepped").sync { words.removeAll() }
}

/// Interrupts busy threads, whose work leads through Swift, Foundation and Dispatch, anywhere.
func checkSamples(seconds: UInt32) -> Bool {
  let stopping = Flag()
  let workers = DispatchGroup()
  for _ in 0..<3 {
    workers.enter()
    Thread.detachNewThread {
      ms_allow_samples()
      while !stopping.isSet.load(ordering: .relaxed) { runSteppedSwift() }
      workers.leave()
    }
  }
  let passed = ms_check_samples(seconds)
  stopping.isSet.store(true, ordering: .relaxed)
  workers.wait()
  return passed
}

private final class Flag: Sendable {
  let isSet = Atomic(false)
}
