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

  /// What it told, what passed, and whether it goes by the counter still; nil where no counter is trusted.
  private func second(wrongBy thousandths: Int) throws -> (told: Int, passed: Int, counts: Bool)? {
    let said = try SmallProgram.run(
      Self.program, with: ["Interposers/CInterposers/blocking/clock.c"], ["\(thousandths)"]
    ).output
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

  /// What the kernel says after a suspension, for which CLOCK_BOOTTIME alone goes on.
  private static let suspended = """
    #include <stdio.h>
    #include <sys/syscall.h>
    #include <unistd.h>
    #include "clock.h"

    static time_t slept;
    int clock_gettime(clockid_t clock, struct timespec *time) {
      int result = (int)syscall(SYS_clock_gettime, clock, time);
      if (clock == CLOCK_BOOTTIME) time->tv_sec += slept;
      return result;
    }

    int main(void) {
      ms_clock_start();
      if (ms_counter_rate == 0) return puts("no counter") < 0;
      uint64_t begin = ms_ticks();
      usleep(20000);
      uint64_t before = ms_ticks_between(begin, ms_ticks());
      slept = 10;
      uint64_t after = ms_ticks_between(begin, ms_ticks());
      printf("%d %d %d", before >= 20000000, after == 0, ms_counter_rate == 0);
    }
    """

  @Test("A machine that was suspended has told no time, and its counter is trusted no longer")
  func isSuspended() throws {
    let said = try SmallProgram.run(
      Self.suspended, with: ["Interposers/CInterposers/blocking/clock.c"]
    )
    .output
    #expect(said == "1 1 1" || said == "no counter\n")
  }

  @Test("One that is wrong by more is trusted no longer", arguments: [50, -50])
  func isGivenUp(thousandths: Int) throws {
    guard let second = try second(wrongBy: thousandths) else { return }
    #expect(second.told == 0 && !second.counts, "\(second)")
  }
}
