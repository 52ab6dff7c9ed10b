import IncidentModel
import Testing

struct BusyTaskTests {
  /// A loop that reads a stored property of its actor, whose getter has no line.
  @Test func anAccessorWithoutALineIsNotTheCulprit() throws {
    let run = MadeUpRun(.running)
    let stack = run.thread(1, ["Gate.state.getter", "Gate.pass() at 22", "libc.so.6!start_thread"])
    var thread = PictureThread(kernelID: 1)
    thread.actor = 0x40
    thread.used = 0
    var picture = TaskPicture()
    picture.actors = [PictureActor(address: 0x40, type: "Gate", state: .running, holder: 1)]
    func task(_ id: UInt64, _ state: PictureTask.State) -> PictureTask {
      PictureTask(
        id: id, address: id * 64, priority: .init(rawValue: 21), state: state,
        stack: Stack(frames: [], end: .unavailable))
    }
    picture.tasks = [task(1, .running(thread: 1)), task(2, .enqueued(.actor(0x40)))]
    picture.threads = [thread]
    var second = picture
    second.threads[0].used = 400_000_000
    var lasting = LastingWork(from: picture, to: second, span: 500_000_000)
    lasting.stacks = [1: [stack.stack]]
    picture.lasting = lasting
    run.picture = ProcessPicture(wall: 1, stop: .stopped(1), threads: [stack])
    run.picture?.tasks = picture
    let found = try #require(try run.finding("busy-task"))
    #expect(found.title == "Gate.pass() (Till.swift:22) computes on actor Gate while task 2 waits")
  }
}
