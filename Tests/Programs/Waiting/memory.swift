import Glibc

private func map(megabytes: Int) -> UnsafeMutableRawPointer {
  let memory = mmap(
    nil, megabytes << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
  guard let memory, memory != MAP_FAILED else { fatalError("no memory") }
  return memory
}

/// Fills memory that stays with words that are no tasks.
func fill(megabytes: Int) {
  let memory = map(megabytes: megabytes)
  for at in stride(from: 0, to: megabytes << 20, by: 8) {
    memory.storeBytes(of: at &* 2_654_435_761, toByteOffset: at, as: Int.self)
  }
}

/// Lets memory appear and disappear while others may read it.
func mapAndUnmap(megabytes: Int) {
  let memory = map(megabytes: megabytes)
  memset(memory, 1, megabytes << 20)
  munmap(memory, megabytes << 20)
}

/// Fills memory with copies of the task at `address`: whole copies, copies with garbage behind the first word, and
/// copies whose records, contexts and functions are at random addresses.
func imitate(_ address: UInt) {
  guard let task = UnsafeRawPointer(bitPattern: address) else { fatalError("no task") }
  let size = 208, count = 60_000
  let memory = map(megabytes: 16)
  var random = SystemRandomNumberGenerator()
  for index in 0..<count {
    let copy = memory + index * size
    memcpy(copy, task, size)
    switch index % 4 {
    case 1:
      for at in stride(from: 8, to: size, by: 8) {
        copy.storeBytes(of: random.next(), toByteOffset: at, as: UInt.self)
      }
    case 2:
      for at in [56, 64, 104] {
        copy.storeBytes(of: random.next(), toByteOffset: at, as: UInt.self)
      }
    case 3:
      copy.storeBytes(
        of: UInt(bitPattern: memory) + UInt(index * size), toByteOffset: 104, as: UInt.self)
    default: break
    }
  }
}
