import Glibc

/// The reason why a process cannot be read, with a command that helps.
package struct ProcessFailure: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }

  /// The step that failed.
  enum Step {
    case opening
    case stopping
  }

  /// - Parameters:
  ///   - process: the process id.
  ///   - code: the `errno` of the failed call.
  init(_ process: Int, _ step: Step, code: CInt, surroundings: Surroundings = .actual) {
    guard let status = ProcessStatus(of: process) else {
      self = .gone(process, surroundings)
      return
    }
    let name = "process \(process) (\(status.name))"
    self =
      switch code {
      case ESRCH, ENOENT: .ended(name, status)
      case EPERM, EACCES: .refused(name, status, step, surroundings)
      case ETIMEDOUT:
        ProcessFailure(
          """
          \(name): no thread of the process stopped in time: the machine is busy, or the threads \
          wait uninterruptibly in the kernel; try again, or use --no-stop
          """)
      default:
        ProcessFailure(
          "\(name): \(step == .opening ? "the memory of the process cannot be opened" : "the process cannot be stopped"): \(String(cString: strerror(code)))"
        )
      }
  }

  static func gone(_ process: Int, _ surroundings: Surroundings) -> ProcessFailure {
    let more =
      surroundings.isContainer
      ? """
      ; this container shows only its own processes: share those of the pod (shareProcessNamespace: \
      true, or kubectl debug --target) or use docker run --pid container:NAME
      """
      : "; ps -e lists all processes"
    return ProcessFailure("process \(process): no such process" + more)
  }

  static func ended(_ name: String, _ status: ProcessStatus) -> ProcessFailure {
    guard status.state == "Z" else { return ProcessFailure("\(name): the process ended meanwhile") }
    let parent = ProcessStatus(of: status.parent).map { " (\($0.name))" } ?? ""
    return ProcessFailure(
      """
      \(name): the process has ended, and its memory is gone: it is a zombie until its parent \
      \(status.parent)\(parent) waits for it
      """)
  }

  private static func refused(
    _ name: String, _ status: ProcessStatus, _ step: Step, _ surroundings: Surroundings
  ) -> ProcessFailure {
    if status.tracer != 0, step == .stopping {
      // `TracerPid` is a thread id.
      let tracer = ProcessStatus(of: status.tracer)
      let id = tracer?.threadGroup ?? status.tracer
      let its = tracer.flatMap { ProcessStatus(of: $0.threadGroup) }.map { " (\($0.name))" } ?? ""
      return ProcessFailure(
        """
        \(name): process \(id)\(its) already traces this process, and the kernel allows one tracer: \
        end that tracer, or use --no-stop
        """)
    }
    return ProcessFailure(
      "\(name): the kernel refuses access: " + reason(status, step, surroundings))
  }

  private static func reason(
    _ status: ProcessStatus, _ step: Step, _ here: Surroundings
  ) -> String {
    let again = "sudo crashscan attach \(status.id)"
    if here.mayTraceOthers {
      switch here.ptraceScope {
      case 3:
        return
          "kernel.yama.ptrace_scope is 3, which forbids tracing for all users until the next reboot"
      default:
        return step == .stopping
          ? "a seccomp filter or a security module forbids ptrace; use --no-stop"
          : "a security module (SELinux, AppArmor) forbids tracing, or the process belongs to another user namespace; see dmesg"
      }
    }
    if here.isContainer, here.user == 0 || status.user == here.user {
      return """
        this container lacks CAP_SYS_PTRACE: use docker run --cap-add SYS_PTRACE, or in Kubernetes \
        securityContext: capabilities: add: [SYS_PTRACE] (kubectl debug --profile=sysadmin)
        """
    }
    if status.user != here.user {
      return "the process belongs to user \(status.user): use \(again)"
    }
    switch here.ptraceScope {
    case 1:
      return """
        kernel.yama.ptrace_scope is 1: only a parent may trace a process; use \(again), or for all \
        processes of this user: sudo sysctl kernel.yama.ptrace_scope=0
        """
    case 2: return "kernel.yama.ptrace_scope is 2, which requires CAP_SYS_PTRACE: use \(again)"
    case 3:
      return
        "kernel.yama.ptrace_scope is 3, which forbids tracing for all users until the next reboot"
    default:
      return
        "the process has more privileges than this user, or has disabled tracing (PR_SET_DUMPABLE): use \(again)"
    }
  }

  /// The facts that determine the permission to trace.
  struct Surroundings: Sendable {
    var user: Int
    var mayTraceOthers: Bool
    /// Yama's `kernel.yama.ptrace_scope`; 0 without Yama.
    var ptraceScope: Int
    var isContainer: Bool

    static var actual: Surroundings {
      let own = ProcessStatus.own
      let marks = ["/.dockerenv", "/run/.containerenv", "/var/run/secrets/kubernetes.io"]
      return Surroundings(
        user: Int(geteuid()), mayTraceOthers: own?.mayTraceOthers ?? false,
        ptraceScope: ProcessFiles.text("/proc/sys/kernel/yama/ptrace_scope").flatMap { Int($0) }
          ?? 0,
        isContainer: marks.contains { access($0, F_OK) == 0 } || getenv("container") != nil
          || getenv("KUBERNETES_SERVICE_HOST") != nil)
    }
  }
}
