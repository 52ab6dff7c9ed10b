"""The kernel's calls that container engines forbid by default, forbidden to this process and what it becomes."""

import ctypes
import os
import struct

# What the default profile of Docker (moby, `profiles/seccomp`) leaves to nobody, or to those with a capability that a
# container has not: by name, and by its number on x86-64. `clone3` is not there at all, so that a C library falls back.
FORBIDDEN = {
    "acct": 163, "add_key": 248, "bpf": 321, "clock_adjtime": 305, "clock_settime": 227, "create_module": 174,
    "delete_module": 176, "fanotify_init": 300, "finit_module": 313, "fsconfig": 431, "fsmount": 432, "fsopen": 430,
    "fspick": 433, "get_kernel_syms": 177, "get_mempolicy": 239, "init_module": 175, "io_uring_enter": 426,
    "io_uring_register": 427, "io_uring_setup": 425, "ioperm": 173, "iopl": 172, "kcmp": 312,
    "kexec_file_load": 320, "kexec_load": 246, "keyctl": 250, "lookup_dcookie": 212, "mbind": 237, "mount": 165,
    "mount_setattr": 442, "move_mount": 429, "move_pages": 279, "name_to_handle_at": 303, "nfsservctl": 180,
    "open_by_handle_at": 304, "open_tree": 428, "perf_event_open": 298, "pidfd_getfd": 438, "pivot_root": 155,
    "process_madvise": 440, "query_module": 178, "quotactl": 179, "reboot": 169, "request_key": 249,
    "set_mempolicy": 238, "setdomainname": 171, "sethostname": 170, "setns": 308, "settimeofday": 164, "swapoff": 168,
    "swapon": 167, "sysfs": 139, "syslog": 103, "umount2": 166, "unshare": 272, "uselib": 134, "userfaultfd": 323,
    "ustat": 136, "vhangup": 153,
}
NOT_THERE = {"clone3": 435}
# Calls that stricter profiles forbid as well.
OTHERS = {"process_vm_readv": 310}

LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
EPERM, ENOSYS = 1, 38
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2


def instruction(code, true=0, false=0, value=0):
    return struct.pack("HBBI", code, true, false, value)


def install(libc, more):
    """Forbids the calls of the default profile, and `more`, by names in OTHERS."""
    forbidden = FORBIDDEN | {name: OTHERS[name] for name in more}
    program = [instruction(LOAD)]
    for calls, error in ((forbidden, EPERM), (NOT_THERE, ENOSYS)):
        for number in calls.values():
            program += [instruction(JUMP_IF_EQUAL, 0, 1, number), instruction(RETURN, value=REFUSE | error)]
    program.append(instruction(RETURN, value=ALLOW))
    code = ctypes.create_string_buffer(b"".join(program))
    filter = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(program), ctypes.addressof(code)))
    for arguments in ((PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter, 0, 0)):
        if libc.prctl(*arguments) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
