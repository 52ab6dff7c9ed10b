import Foundation

/// Whether a thread that overflows its stack meets a guard. glibc 2.42 and later ask for one by
/// `MADV_GUARD_INSTALL`, which qemu takes for done and does not do: such a thread goes on into whatever lies below.
let threadsHaveGuards = {
  let installGuard: Int32 = 102
  var version = [CChar](repeating: 0, count: 64)
  confstr(Int32(_CS_GNU_LIBC_VERSION), &version, version.count)
  let name = version.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  guard name.compare("glibc 2.42", options: .numeric) != .orderedAscending else { return true }
  let size = Int(getpagesize())
  let page = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
  guard let page, page != MAP_FAILED else { return true }
  defer { munmap(page, size) }
  // Where the kernel has no such guards, glibc protects a page.
  guard madvise(page, size, installGuard) == 0 else { return true }
  var ends: [Int32] = [-1, -1]
  guard pipe(&ends) == 0 else { return true }
  defer { ends.forEach { close($0) } }
  return write(ends[1], page, 1) < 0 && errno == EFAULT
}()
