import Foundation
import ProcessTesting
import Testing

/// What can be given to `crashscan` as an input, and how it is found out what that is.
@Suite(.serialized) struct InputTests {
  private let crashscan = ChildProcess.directory + "/crashscan"
  private let fixtures = Repository.root.appendingPathComponent("Tests/Fixtures/reports").path

  /// Runs a script in which `$crashscan` is the program and `$log` a log with work off the main queue.
  private func shell(_ script: String) throws -> ChildProcess {
    let log = try logOfMisbehaviour("off-main-ui")
    let place = URL(fileURLWithPath: log).deletingLastPathComponent().path
    return try ChildProcess.run(
      path: "/bin/bash", ["-c", "cd '\(place)' && \(script)"],
      ["crashscan": crashscan, "log": log, "fixtures": fixtures])
  }

  @Test func packedInputsAreKnownByTheirContent() throws {
    for tool in ["gzip", "zstd"] {
      guard FileManager.default.isExecutableFile(atPath: "/usr/bin/\(tool)") else { continue }
      let named = try shell("\(tool) -qc $log > packed && $crashscan packed")
      #expect(named.output.contains("off-main-ui"))
      #expect(try shell("\(tool) -qc $log | $crashscan -").output.contains("off-main-ui"))
      #expect(try shell("\(tool) -qc $log | $crashscan show -").output.contains("violation"))
      #expect(
        try shell("\(tool) -qc $fixtures/mtc-plain.txt | $crashscan -").output
          .contains("off-main-ui"))
    }
  }

  @Test func pipesAreRead() throws {
    #expect(try shell("$crashscan - < $log").output.contains("off-main-ui"))
    #expect(try shell("$crashscan <(cat $log)").output.contains("off-main-ui"))
    // However late `crashscan` comes, all of it is still there: the pipe is opened once.
    for wait in ["", "sleep 0.2; "] {
      let run = try shell("mkfifo f; cat $log > f & \(wait)$crashscan f")
      #expect(run.output.contains("off-main-ui"), "\(run.errors)")
    }
    #expect(try shell("$crashscan repro - < $log").output.contains("CallbackStorm"))
  }

  @Test func whatIsLeftOfACutPackedLogIsReported() throws {
    let run = try shell("gzip -c $log | head -c -100 > cut.gz; $crashscan cut.gz")
    #expect(run.output.contains("off-main-ui"))
    #expect(
      run.errors
        == "crashscan: cut.gz: is damaged or truncated: gzip could not decompress the whole file\n")
    #expect(run.status == 2)
  }

  @Test func logWithoutItsHeadIsReported() throws {
    let run = try shell(
      "dd if=/dev/zero of=$log bs=64 count=1 conv=notrunc 2>/dev/null; $crashscan $log")
    #expect(run.output.contains("off-main-ui"))
    #expect(run.errors.isEmpty)
  }

  @Test func directoryStandsForTheLogsAndReportsInIt() throws {
    let run = try shell(
      """
      cp $fixtures/sentry-layout.json event.json; gzip -c $fixtures/ips-layout.ips > customer
      head -c 5000 $crashscan > program; echo '{"name": "something else"}' > package.json
      echo hello > README; : > empty; mkdir folder; mkfifo waits; gzip -c program > archive.gz
      $crashscan .
      """)
    #expect(run.errors.isEmpty)
    #expect(run.status == 1)
    for name in ["misbehave (process ", "Harbor (process 612)", "./event.json, "] {
      #expect(run.output.contains("\n\(name)") || run.output.hasPrefix(name), "\(run.output)")
    }
  }

  @Test func directoryStandsForItsSubdirectories() throws {
    let run = try shell(
      """
      mkdir -p all/web-1/old all/.hidden; cp $log all/web-1/old/; cp $log all/.hidden/; ln -s .. all/web-1/up
      cp $fixtures/sentry-layout.json all/event.json; $crashscan all --format json
      """)
    #expect(run.errors.isEmpty, "\(run.errors)")
    let paths = run.output.matches(of: #/"path":"(all[^"]*)"/#).map { String($0.1) }
    #expect(paths.sorted() == ["all/event.json", "all/web-1/old/off-main-ui.log"])
  }

  @Test(.long) func directoryOfTooManyFilesIsNotRead() throws {
    let run = try shell("mkdir -p d/sub; cd d/sub; seq 100001 | xargs touch; $crashscan ..")
    #expect(run.errors.hasPrefix("crashscan: ..: contains more than 100000 files; "))
    #expect(run.status == 2)
  }

  @Test func directoryWithoutAnyIsAnInputThatCannotBeRead() throws {
    let run = try shell("mkdir d; echo hello > d/README; $crashscan $log d")
    #expect(run.errors == "crashscan: d: contains no logs and no reports\n")
    #expect(run.status == 2)
    #expect(run.output.contains("off-main-ui"))
  }

  @Test(.long) func messagesNameTheInputAsItWasGiven() throws {
    let packed = try shell("gzip -c $crashscan | $crashscan -")
    #expect(
      packed.errors
        == "crashscan: -: is neither a log nor a report in a format that crashscan reads\n")
    let shown = try shell("echo hello | $crashscan show -")
    #expect(shown.errors.hasPrefix("crashscan: -: is not a breadcrumb log"))
    #expect(try shell("$crashscan /nonexistent").status == 2)
  }

  @Test func reportsOfOthersGiveTestsToo() throws {
    let run = try shell("$crashscan repro $fixtures/sentry-background.json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("background"))
  }

  @Test(.long) func packedFilesUnpackToABound() throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/zstd") else { return }
    let bomb = try shell(
      """
      { cat $log; head -c 400M /dev/zero | tr '\\0' x; } | zstd -q > bomb
      $crashscan bomb --max-unpacked 8M
      """)
    #expect(bomb.status == 2, "and the decompressor, which blocks on its full pipe, is killed")
    #expect(
      bomb.errors == """
        crashscan: bomb: unpacks to more than 8 MiB; the rest was not read \
        (--max-unpacked sets the limit)

        """)
    #expect(bomb.output.contains("off-main-ui"), "the part up to the limit is read")
    let sparse = try shell(
      """
      { cat $log; head -c 400M /dev/zero; } | zstd -q > sparse
      $crashscan sparse
      """)
    #expect(sparse.output.contains("off-main-ui"), "an input of 400 MB is below the default")
  }

  @Test func inputIsNotWrittenOver() throws {
    for way in ["", "summarize", "repro", "--format perfetto", "--format collapsed"] {
      let run = try shell(
        "ln -f $log same; cp $log kept; $crashscan \(way) $log --output same; s=$?; cmp $log kept && exit $s"
      )
      #expect(run.status == 64, "\(way)")
      #expect(run.errors == "crashscan: same: is an input and would be overwritten\n")
    }
    let other = try shell("$crashscan $log --output other; grep -c off-main-ui other")
    #expect(other.output != "0\n")
  }
}
