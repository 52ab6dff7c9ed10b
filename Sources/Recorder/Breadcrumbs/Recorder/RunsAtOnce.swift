/// Runs what it is given in the call that gives it.
package final class RunsAtOnce: TaskExecutor {
  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}
