import ProcessTesting
import Testing

@Suite("A child that is forked while its parent's thread is looked at")
struct ForkTests {
  /// Forks between a look's beginning and its end, and has the child return from a call; prints whether it did.
  private static let program = """
    #include <signal.h>
    #include <stdio.h>
    #include <sys/wait.h>
    #include <unistd.h>
    #include "call_slots.h"

    int main(void) {
      ms_call_slots_start();
      if (!ms_call_slot_take()) return puts("no slot") < 0;
      atomic_store(&ms_own_call_slot->is_looked_at, 1);
      pid_t child = fork();
      if (child == 0) {
        alarm(10);
        ms_call_slot_rests(ms_own_call_slot);
        _exit(0);
      }
      int status = -1;
      waitpid(child, &status, 0);
      printf("%d", status);
    }
    """

  @Test("returns from its calls")
  func returns() throws {
    let files = [
      "Interposers/CInterposers/blocking/call_slots.c", "Recorder/CRecorder/queue/thread.c",
    ]
    #expect(try SmallProgram.run(Self.program, with: files).output == "0")
  }
}
