import IncidentModel
import Testing

@testable import ProcessReading

@Suite("Lists of mappings and notes are read, whatever they contain")
struct MapsTests {
  @Test("A line has its rights, offset, inode and path; one in another form is left out")
  func lines() {
    let text = """
      00400000-0040b000 r-xp 00002000 08:01 1234    /usr/bin/a b
      7f0000000000-7f0000001000 rw-p 00000000 00:00 0
      7f0000002000-7f0000003000 r--s 00000000 00:01 9 /tmp/x\\012y (deleted)
      7f0000005000-7f0000004000 r--p 00000000 00:01 9 /backwards
      nonsense
      """
    let found = ProcessMaps.parse(Array(text.utf8))
    #expect(found.map(\.region.path) == ["/usr/bin/a b", "", "/tmp/x\ny (deleted)"])
    #expect(found.map(\.path).last == "/tmp/x\ny")
    #expect(found[0].offset == 0x2000 && found[0].inode == 1234)
    #expect(found[0].region.isExecutable && !found[0].region.isWritable)
    #expect(found[1].region.isWritable && !found[1].region.isExecutable)
  }

  @Test("Notes end where one reaches beyond the bytes")
  func notes() {
    let whole: [UInt8] = [4, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0] + Array("GNU\0".utf8) + [7, 8, 0, 0]
    var notes = ELFNotes(whole + [255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0])
    let first = notes.next()
    #expect(first?.name == "GNU" && first?.type == 3 && first.map { Array($0.content) } == [7, 8])
    #expect(notes.next() == nil)
    #expect(notes.unread == whole.count)
  }

  @Test("What was kept of memory stands before what is there by now")
  func snapshot() {
    final class Numbers: MemoryImage {
      let regions: [MemoryRegion] = []
      let modules: [Module] = []
      var base: UInt8 = 0
      func read(_ address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, Int(200 - min(address, 200)))
        for index in 0..<count { buffer[index] = base &+ UInt8(address) &+ UInt8(index) }
        return count
      }
    }
    let numbers = Numbers()
    let snapshot = SnapshotMemory(numbers)
    snapshot.keep(50..<60)
    snapshot.keep(10..<20)
    numbers.base = 100
    #expect(snapshot.bytes(at: 8, count: 4) == [108, 109, 10, 11])
    #expect(snapshot.bytes(at: 18, count: 4) == [18, 19, 120, 121])
    #expect(snapshot.bytes(at: 9, count: 60)?.count == 60)
    #expect(snapshot.bytes(at: 49, count: 12) == [149] + (50..<60) + [160])
    #expect(snapshot.bytes(at: 195, count: 10) == nil)
  }
}
