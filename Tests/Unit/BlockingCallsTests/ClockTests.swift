import Foundation
import ProcessTesting
import Testing

/// The clock of calls, by the processor's counter, whose pace is learned within a moment.
@Suite("The clock of calls")
struct ClockTests {
  /// Makes the pace wrong by so many thousandths, and says how long a second and what the pace is then.
  private static let program = """
    #include <stdio.h>
    #include <stdlib.h>
    #include "clock.h"

    static void both(uint64_t *ticks, uint64_t *time) {
      do {
        *time = ms_call_time();
        *ticks = ms_ticks();
      } while (ms_call_time() - *time > 100000);
    }

    int main(int count, char **arguments) {
      uint64_t begin, end, began, ended;
      ms_clock_start();
      if (ms_counter_rate == 0) return puts("no counter") < 0;
      ms_counter_rate += (int64_t)ms_counter_rate / 1000 * atoi(arguments[count - 1]);
      both(&begin, &began);
      nanosleep(&(struct timespec){1, 0}, NULL);
      both(&end, &ended);
      uint64_t told = ms_ticks_between(begin, end);
      printf("%lld %lld %d", (long long)told, (long long)(ended - began), ms_counter_rate != 0);
    }
    """

  private struct NotBuilt: Error { let errors: String }

  /// What it told, what passed, and whether it goes by the counter still; nil where no counter is trusted.
  private func second(wrongBy thousandths: Int) throws -> (told: Int, passed: Int, counts: Bool)? {
    let program = TestFiles.path("clock")
    try Self.program.write(toFile: program + ".c", atomically: true, encoding: .utf8)
    let sources = Repository.root.appendingPathComponent("Sources/CBlockingCalls").path
    let made = try ChildProcess.run(
      path: "/usr/bin/env",
      [
        "clang", "-O1", "-D_GNU_SOURCE", "-I", sources, sources + "/clock.c", program + ".c", "-o",
        program,
      ])
    guard made.status == 0 else { throw NotBuilt(errors: made.everything) }
    let said = try ChildProcess.run(path: program, ["\(thousandths)"]).output
    let words = said.split(separator: " ").compactMap { Int($0) }
    return words.count == 3 ? (words[0], words[1], words[2] == 1) : nil
  }

  @Test(
    "A pace that is wrong by less than a hundredth is put right, and no wait is dropped for it",
    arguments: [0, 8, -8])
  func isPutRight(thousandths: Int) throws {
    guard let second = try second(wrongBy: thousandths) else { return }
    #expect(abs(second.told - second.passed) < 4_000_000 && second.counts, "\(second)")
  }

  @Test("One that is wrong by more is trusted no longer", arguments: [50, -50])
  func isGivenUp(thousandths: Int) throws {
    guard let second = try second(wrongBy: thousandths) else { return }
    #expect(second.told == 0 && !second.counts, "\(second)")
  }
}
