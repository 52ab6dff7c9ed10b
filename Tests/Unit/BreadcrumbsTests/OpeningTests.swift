import Foundation
import ProcessTesting
import Testing

@testable import Breadcrumbs

/// A log that cannot be opened: the error says why, and nothing changed.
struct OpeningTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func refusal(
    at path: String, capacity: Int = 256 << 10
  ) -> RecordingError? {
    do {
      _ = try BreadcrumbRecorder(path: path, capacity: capacity, automatic: [])
      return nil
    } catch { return error }
  }

  private func expectNothingChanged(_ names: [String] = []) {
    #expect(scratch.names == names.sorted())
  }

  @Test(arguments: [-1, 0, 4096, (256 << 10) - 1])
  func aCapacityTooSmallNamesTheSmallest(capacity: Int) throws {
    let failure = try #require(refusal(at: scratch.log, capacity: capacity))
    #expect(failure.code == .capacityTooSmall)
    #expect(failure.description.contains("262144"))
    expectNothingChanged()
  }

  @Test func aCapacityTooLargeNamesTheLargest() throws {
    let failure = try #require(refusal(at: scratch.log, capacity: .max))
    #expect(failure.code == .capacityTooLarge)
    expectNothingChanged()
  }

  @Test(arguments: ["/none/breadcrumbs.log", "/file/breadcrumbs.log"])
  func aMissingDirectoryIsNamedAsSuch(path: String) throws {
    try scratch.write("", to: "file")
    let failure = try #require(refusal(at: scratch.path + path))
    #expect(failure.code == .noDirectory)
    #expect([ENOENT, ENOTDIR].contains(failure.errorNumber))
    expectNothingChanged(["file"])
  }

  @Test func aPathThatIsNoFilesIsRefused() throws {
    #expect(refusal(at: "")?.errorNumber == ENOENT)
    #expect(refusal(at: scratch.path + "/")?.errorNumber == EISDIR)
    #expect(refusal(at: scratch.path + "/a\0b")?.errorNumber == EINVAL)
    let long = String(repeating: "x", count: 300)
    #expect(refusal(at: scratch.path + "/" + long)?.errorNumber == ENAMETOOLONG)
    expectNothingChanged()
  }

  @Test(arguments: ["link", "dangling", "directory", "fifo"])
  func whatIsNoPlainFileIsNotFollowedNorTouched(what: String) throws {
    switch what {
    case "link":
      try scratch.write("precious", to: "target")
      symlink("target", scratch.log)
    case "dangling": symlink("target", scratch.log)
    case "directory": mkdir(scratch.log, 0o700)
    default: mkfifo(scratch.log, 0o600)
    }
    let before = scratch.names
    #expect(refusal(at: scratch.log)?.code == .notARegularFile)
    expectNothingChanged(before)
    if what == "link" { #expect(try scratch.bytes("target") == Array("precious".utf8)) }
  }

  @Test(arguments: ["short", "a text that is no log, and longer than a word"])
  func aFileThatIsNoLogIsLeftAlone(text: String) throws {
    try scratch.write(text, to: "breadcrumbs.log")
    #expect(refusal(at: scratch.log)?.code == .notALog)
    #expect(try scratch.bytes() == Array(text.utf8))
    expectNothingChanged(["breadcrumbs.log"])
  }

  @Test func anEmptyFileAndOneThatNeverReachedTheDiskMakeRoom() throws {
    try scratch.write("", to: "breadcrumbs.log")
    #expect(refusal(at: scratch.log) == nil)
    unlink(scratch.log)
    try scratch.write("", to: "breadcrumbs.log")
    truncate(scratch.log, 256 << 10)
    #expect(refusal(at: scratch.log) == nil)
  }

  @Test func aSecondWriterIsToldWhoTheFirstIs() throws {
    let first = try Program("recorder-trial", ["open", scratch.log])
    #expect(first.line() == "opened \(scratch.log)")
    let failure = try #require(refusal(at: scratch.log))
    #expect(failure.code == .inUse)
    #expect(failure.description.contains("process \(first.id)"))
    expectNothingChanged(["breadcrumbs.log"])
    first.letGoOn()
    _ = first.end()
    #expect(try scratch.incident().messages.contains("opened"))
  }

  @Test func aReaderKeepsNobodyFromOpening() throws {
    try BreadcrumbRecorder(path: scratch.log, capacity: 256 << 10, automatic: []).close()
    let file = Glibc.open(scratch.log, O_RDONLY)
    flock(file, LOCK_SH)
    #expect(refusal(at: scratch.log) == nil)
    close(file)
  }

  @Test func theProcessIdKeepsProcessesApart() throws {
    let recorder = try BreadcrumbRecorder(
      path: scratch.path + "/log.{pid}", capacity: 256 << 10, automatic: [])
    #expect(recorder.path == "\(scratch.path)/log.\(getpid())")
    #expect(scratch.names == ["log.\(getpid())"])
  }

  @Test func aLimitOnOpenFilesIsNamedAsSuch() throws {
    let trial = try Program.run("recorder-trial", ["open", scratch.log, "files", "3"])
    #expect(trial.exitStatus == 3)
    #expect(trial.output.contains("error cannotCreate"))
    #expect(trial.output.contains(String(cString: strerror(EMFILE))))
    expectNothingChanged()
  }

  @Test func aLimitOnFileSizesIsAnErrorAndNoSignal() throws {
    let trial = try Program.run("recorder-trial", ["open", scratch.log, "size", "65536"])
    #expect(trial.exitStatus == 3)
    #expect(trial.output.contains("error noSpace"))
    expectNothingChanged()
  }

  @Test(.enabled(if: canBecomeNobody, "only root can, where there is a nobody"))
  func aDirectoryThatMayNotBeWrittenIsAnError() throws {
    let trial = try Program.run("recorder-trial", ["open", scratch.log, "user", "65534"])
    #expect(trial.exitStatus == 3)
    #expect(trial.output.contains("error noDirectory") || trial.output.contains("cannotCreate"))
    #expect(trial.output.contains(String(cString: strerror(EACCES))))
    chmod(scratch.path, 0o755)
    let readOnly = try Program.run("recorder-trial", ["open", scratch.log, "user", "65534"])
    #expect(readOnly.output.contains("error cannotCreate"))
    expectNothingChanged()
  }

  /// Mounts, for one program alone, a file system over a directory of the scratch's.
  private func mounted(_ options: String, _ prepare: String = "true") throws -> Program.Ending {
    let inner = scratch.path + "/mounted"
    mkdir(inner, 0o700)
    let program = Program.directory + "/recorder-trial"
    return try Program(command: [
      "unshare", "--mount", "sh", "-c",
      "mount -t tmpfs -o \(options) none \(inner) && cd \(inner) && \(prepare) && "
        + "{ \(program) open \(inner)/breadcrumbs.log </dev/null; echo exit $?; ls -A; }",
    ]).end()
  }

  @Test(.enabled(if: canMount, "this system lets nobody mount"))
  func aFullDiskIsAnErrorAndLeavesAnEarlierLogWhereItWas() throws {
    let trial = try mounted("size=1200k")
    #expect(trial.lines.first?.hasPrefix("opened") == true)
    let full = try mounted(
      "size=1200k",
      "\(Program.directory)/recorder-trial open ./breadcrumbs.log </dev/null >/dev/null")
    #expect(full.lines.first?.hasPrefix("error noSpace") == true)
    #expect(full.output.contains(String(cString: strerror(ENOSPC))))
    #expect(full.lines.suffix(2) == ["exit 3", "breadcrumbs.log"])
  }

  @Test(.enabled(if: canMount, "this system lets nobody mount"))
  func aReadOnlyFileSystemIsAnError() throws {
    let trial = try mounted("size=4m", "mount -o remount,ro \(scratch.path)/mounted")
    #expect(trial.lines.first?.hasPrefix("error cannotCreate") == true)
    #expect(trial.output.contains(String(cString: strerror(EROFS))))
    #expect(trial.lines.last == "exit 3")
  }

  static let canMount: Bool = {
    let ending = try? Program(
      command: ["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]
    ).end()
    return ending?.exitStatus == 0
  }()

  /// Whoever may read a directory may lock it.
  @Test func aStrangersLockOnTheDirectoryIsNotWaitedFor() throws {
    let directory = open(scratch.path, O_RDONLY | O_DIRECTORY)
    defer { close(directory) }
    try #require(flock(directory, LOCK_EX) == 0)
    let begin = ContinuousClock.now
    let recorder = try BreadcrumbRecorder(path: scratch.log, capacity: 256 << 10, automatic: [])
    #expect(ContinuousClock.now - begin < .seconds(1))
    recorder.close()
  }

  /// The lock is that of a process which opens the same log: its file is there.
  @Test func whoeverOpensTheSameLogIsWaitedFor() throws {
    let directory = open(scratch.path, O_RDONLY | O_DIRECTORY)
    defer { close(directory) }
    try #require(flock(directory, LOCK_EX) == 0)
    try scratch.write("", to: ".breadcrumbs.log.opening")
    let path = scratch.log
    let opened = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      try? BreadcrumbRecorder(path: path, capacity: 256 << 10, automatic: []).close()
      opened.signal()
    }
    // The recorder has opened the directory too, and waits for its lock.
    while try Self.openFiles(at: scratch.path) < 2 { usleep(1000) }
    #expect(scratch.names == [".breadcrumbs.log.opening"])
    flock(directory, LOCK_UN)
    opened.wait()
    #expect(scratch.names == ["breadcrumbs.log"])
  }

  private static func openFiles(at path: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { descriptor in
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/\(descriptor)")
      return target == path
    }
  }

  /// As a filter of system calls does. The blocks are there all the same.
  @Test(arguments: ["EPERM", "ENOSYS", "EOPNOTSUPP"])
  func blocksAreReservedWhereTheCallForThatIsRefused(error: String) throws {
    let program = """
      #include <errno.h>
      #include <fcntl.h>
      #include <stdio.h>
      #include "CRecorder.h"

      int fallocate(int file, int mode, off_t offset, off_t size) {
        (void)file, (void)mode, (void)offset, (void)size;
        errno = \(error);
        return -1;
      }

      int main(int count, char **arguments) {
        ms_log_failure failure;
        ms_log_options options = {.path = arguments[count - 1], .capacity = 300 << 10};
        ms_log *log = ms_log_open(&options, &failure);
        printf("%d %d", log != NULL, failure.error_number);
      }
      """
    let sources = [
      "Recorder/CLogFormat", "Recorder/CRecorder/log", "Recorder/CRecorder/queue",
      "Recorder/CRecorder/runtime", "Recorder/CRecorder/walk",
    ]
    let said = try SmallProgram.run(program, with: sources, [scratch.log]).output
    #expect(said == "1 0")
    var status = stat()
    #expect(stat(scratch.log, &status) == 0 && status.st_blocks * 512 >= 300 << 10)
  }
}
