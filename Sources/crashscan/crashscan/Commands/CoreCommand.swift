import ProcessReading

extension Command {
  /// The command that reports on a core dump.
  static let core = Command(
    name: "core", summary: "the cause of death and the threads in a core dump",
    discussion: [
      "FILE is a core of the kernel, of systemd-coredump or of gcore; files that end in .zst, .lz4, .xz or .gz are unpacked. The "
        + "process need not have been built with Mainstay. Cores of x86_64 and aarch64 can be read on either.",
      "A core does not contain the programs and libraries; crashscan reads them from their files and checks "
        + "that they are the ones that ran. Use --sysroot and --executable for files of another machine or container.",
    ],
    examples: [
      Example(line: "crashscan core core.4711", summary: "The cause of the process's death."),
      Example(
        line: "crashscan core core.4711 --executable .build/release/service",
        summary: "The cause if the program was moved since."),
      Example(
        line: "crashscan core core.4711.zst --sysroot /mnt/image",
        summary: "A core of a container whose files are below /mnt/image."),
    ],
    operands: Operand(placeholder: "FILE", completion: .file, count: 1...1),
    options: [Option.executable.entry, Option.sysroot.entry, Option.maxUnpacked.entry]
      + PictureRun.options,
    run: { invocation in
      let name = invocation.operands[0]
      do {
        try invocation.checkOutput()
        for path in [invocation[.executable], invocation[.sysroot]].compactMap(\.self)
        where !fileExists(path) {
          throw WholeFile.failure(path, "cannot be read")
        }
        // Kept until the report is written, because `input` owns the temporary file.
        let input = InputFile(
          name: name, unpackedLimit: invocation[.maxUnpacked] ?? InputFile.largest)
        let opened = try input.open()
        let core = try CoreFile(
          path: opened.path, name: name,
          options: CoreFile.Options(
            executable: invocation[.executable], sysroot: invocation[.sysroot]))
        var run = try PictureRun(
          invocation, places: core.symbolPlaces, root: invocation[.sysroot] ?? "")
        let code = try run.report(
          on: core, name, crash: { core.crash($0) }, unread: core.unread,
          shortcomings: { core.shortcomings })
        if let flaw = opened.flaw { throw flaw }
        return code
      } catch {
        tell(Inputs.message(of: error, name))
        return (error as? CommandFailure)?.code ?? .unreadableInput
      }
    })
}

extension Option where Value == String {
  fileprivate static let executable = Option(
    "executable", takes: "FILE", "a file", completion: .file,
    summary: "The program that ran, if its file is not at the path in the core", read: { $0 })
  fileprivate static let sysroot = Option(
    "sysroot", takes: "DIR", "a directory", completion: .directory,
    summary: "The root directory of the machine or container that wrote the core", read: { $0 })
}
