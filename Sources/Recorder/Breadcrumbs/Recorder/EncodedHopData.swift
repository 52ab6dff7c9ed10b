internal import CRecorder
internal import ThreadAffinity

/// The keys and values of a hop's arrivals, encoded once and stored with the hop.
struct EncodedHopData {
  private struct Head {
    var size: UInt32
    var count: UInt8
    var isCut: Bool
  }

  private let start: UnsafeRawPointer

  /// Loads the encoded data of `hop`, or encodes it on first use. The data lives as long as the
  /// hop.
  @inline(__always)
  init(of hop: HopLabel) {
    start =
      UnsafeRawPointer(bitPattern: hop.words.load(ordering: .acquiring)) ?? Self.make(for: hop)
  }

  /// Adds the data to a crumb.
  @inline(__always)
  func finish(_ crumb: inout ms_crumb) {
    let head = start.load(as: Head.self)
    crumb.data = (start + MemoryLayout<Head>.size).assumingMemoryBound(to: UInt8.self)
    crumb.data_size = head.size
    crumb.data_count = head.count
    if head.isCut { crumb.flags |= UInt8(MS_CRUMB_DATA_CUT.rawValue) }
  }

  @inline(never)
  private static func make(for hop: HopLabel) -> UnsafeRawPointer {
    let memory = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(MS_DATA_LIMIT)) {
      copy(
        DataEncoder.encode(into: $0.baseAddress!) { encoder in
          encoder.add(MS_KEY_NAME, fixed: .string(hop.name.text))
          encoder.add(MS_KEY_SITE, fixed: .string("\(hop.site)"))
          encoder.add(MS_KEY_OBJECTS, fixed: .integer(hop.objects))
        })
    }
    let (isFirst, first) = hop.words.compareExchange(
      expected: 0, desired: UInt(bitPattern: memory), ordering: .acquiringAndReleasing)
    if isFirst { return UnsafeRawPointer(memory) }
    memory.deallocate()
    return UnsafeRawPointer(bitPattern: first)!
  }

  private static func copy(_ data: ms_data) -> UnsafeMutableRawPointer {
    let headSize = MemoryLayout<Head>.size
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: headSize + Int(data.size), alignment: MemoryLayout<Head>.alignment)
    memory.storeBytes(
      of: Head(size: data.size, count: data.count, isCut: data.is_cut),
      as: Head.self)
    if let bytes = data.bytes {
      (memory + headSize).copyMemory(from: bytes, byteCount: Int(data.size))
    }
    return memory
  }
}

extension HopLabel {
  /// The hash of the hop's address, in the low half, and 31 bits of the hash of the target's
  /// address, in the high half. Objects that exist at the same time rarely have equal hashes, and
  /// both objects exist while a call is pending.
  var objects: Int64 {
    let own = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    return Int64(Self.mark(target) & 0x7fff_ffff) << 32 | Int64(Self.mark(own))
  }

  /// Hashes an object's address, which is a multiple of 16.
  private static func mark(_ address: UInt) -> UInt32 {
    UInt32(truncatingIfNeeded: address >> 4 ^ address >> 36)
  }
}
