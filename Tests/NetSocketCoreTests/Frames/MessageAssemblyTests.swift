import NetCore
import Testing

@testable import NetSocketCore

/// The memory of a message that arrives in pieces, and its reuse.
struct MessageAssemblyTests {
    @Test func theRoomGrowsWithWhatHasArrived() {
        var assembly = MessageAssembly()
        assembly.begin(.binary, isCompressed: false, ReadBlock())
        let quarter = 256 << 10
        // An announced length costs no more than a read-ahead.
        #expect(assembly.room(for: 1 << 40, atMost: .max).count == quarter)
        #expect(assembly.room(for: 1 << 40, atMost: 100).count == 100)
        fill(&assembly, quarter)
        #expect(assembly.room(for: 1 << 40, atMost: .max).count == quarter)
        fill(&assembly, quarter)
        #expect(assembly.room(for: 1 << 40, atMost: .max).count == 2 * quarter)
        #expect(assembly.count == 2 * quarter)
        #expect(assembly.opcode == .binary)
        #expect(assembly.isCompressed == false)
    }

    @Test func theRoomIsNoLargerThanTheRest() {
        var assembly = MessageAssembly()
        assembly.begin(.binary, isCompressed: false, ReadBlock())
        #expect(assembly.room(for: 10, atMost: .max).count == 10)
        fill(&assembly, 10)
        #expect(assembly.room(for: 1000, atMost: .max).count == 1000)
    }

    @Test func maskedBytesAreUnmaskedInPlace() {
        var assembly = MessageAssembly()
        assembly.begin(.binary, isCompressed: false, ReadBlock())
        for (bytes, phase) in [([0x37, 0xFA], 0), ([0x21, 0x3D, 0x37], 2)] as [([UInt8], Int)] {
            assembly.room(for: bytes.count, atMost: .max).copyBytes(from: bytes)
            fill(&assembly, bytes.count, key: 0x3D21_FA37, phase: phase)
        }
        #expect(assembly.finish() == .binary(Bytes([0, 0, 0, 0, 0])))
        #expect(assembly.opcode == nil)
    }

    @Test func copiedBytesAreCheckedAndNothingIsNoError() {
        var assembly = MessageAssembly()
        assembly.begin(.text, isCompressed: false, ReadBlock())
        #expect(append(&assembly, [0xC3]))
        #expect(append(&assembly, []))
        #expect(assembly.finish() == nil, "it ends within a character")
        assembly.begin(.text, isCompressed: true, ReadBlock())
        #expect(assembly.isCompressed == true)
        #expect(assembly.count == 0)
        #expect(append(&assembly, [0xC3, 0xA4]))
        #expect(assembly.finish() == .text("ä"))
        assembly.begin(.binary, isCompressed: false, ReadBlock())
        #expect(assembly.finish() == .binary(Bytes()))
        assembly.begin(.text, isCompressed: false, ReadBlock())
        #expect(append(&assembly, [0x61]))
        #expect(!append(&assembly, [0xFF]))
        assembly.cancel()
        #expect(assembly.opcode == nil)
    }

    /// Only for text: a binary message takes its memory with it.
    @Test func theMemoryOfATextIsLentToOthersOnceItRests() {
        let blocks = ReadBlock()
        var assembly = MessageAssembly()
        assembly.begin(.text, isCompressed: false, blocks)
        #expect(append(&assembly, pattern(1000).map { $0 & 0x7F }))
        assembly.rest(blocks)
        #expect(blocks.borrowSpare().capacity == 0, "a message is in progress")
        #expect(assembly.finish() != nil)
        assembly.rest(blocks)
        let lent = blocks.borrowSpare()
        #expect(lent.capacity == 1000)
        blocks.giveBack(spare: lent)
        var other = MessageAssembly()
        other.begin(.binary, isCompressed: false, blocks)
        #expect(other.room(for: 1000, atMost: .max).count == 1000)
        other.cancel()
        other.begin(.text, isCompressed: false, blocks)
        #expect(blocks.borrowSpare().capacity == 0, "a text has borrowed it")
    }

    /// Accepts bytes that were written into the room.
    private func fill(_ assembly: inout MessageAssembly, _ count: Int, key: UInt32 = 0, phase: Int = 0) {
        let isGood = assembly.didFill(count, key: key, phase: phase)
        #expect(isGood)
    }

    private func append(_ assembly: inout MessageAssembly, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { assembly.append($0, key: 0, phase: 0, rest: 0) }
    }
}
