import Foundation
import NetCore
import NetTesting
import Synchronization
import Testing

@testable import NetHTTP

/// The journal identifies a download and the bytes of it that count, after any kind of damage.
@Suite(.timeLimit(.minutes(1))) struct JournalTests {
    private let clock = TestClock()
    private let disk = SimulatedDisk()

    private func slot(_ sequence: UInt64) -> JournalSlot {
        let version = DownloadVersion(
            validators: DownloadValidators(eTag: "\"a\"", lastModified: "Mon", date: nil), length: 99, fileName: "ä.txt"
        )
        var slot = JournalSlot(
            id: SimulatedDownload.id, sequence: sequence, bootID: "boot 1", version: version)
        (slot.received, slot.flushed) = (ByteRanges([0..<50, 60..<99]), ByteRanges([0..<20]))
        slot.finishing = JournalSlot.Finishing(folder: "a/b", name: "ä.txt", number: 7)
        return slot
    }

    private func journal(of id: UUID = SimulatedDownload.id) throws -> DownloadJournal {
        DownloadJournal(
            DiskFile(try disk.openFile("j", in: 1, as: .existingOrNew, mode: 0o600), of: disk), of: id)
    }

    /// Changes bytes of the journal.
    private func damage(_ change: (inout [UInt8]) -> Void) {
        disk.state.withLock { state in
            guard let number = state.names[SimulatedDisk.Place(folder: 1, name: "j")] else { return }
            if var contents = state.nodes[number]?.contents {
                change(&contents)
                state.nodes[number]?.contents = contents
            }
        }
    }

    @Test func aSlotIsReadAsItWasWritten() throws {
        let whole = slot(4)
        let record = try #require(whole.encoded())
        #expect(JournalSlot(record: record) == whole)
        let empty = JournalSlot(id: UUID(), sequence: 1, bootID: "")
        #expect(empty.encoded().flatMap { JournalSlot(record: $0) } == empty)
        #expect(whole.counted(in: "boot 1") == whole.received)
        #expect(whole.counted(in: "boot 2") == whole.flushed)
        // A kernel that doesn't report its boot time.
        #expect(empty.counted(in: "") == empty.flushed)
    }

    @Test func aSlotIsNotReadIfAnyByteIsDamagedOrMissing() throws {
        let record = try #require(slot(4).encoded())
        for index in 0..<record.count {
            var bytes = Array(record)
            bytes[index] ^= 0x20
            #expect(JournalSlot(record: Bytes(bytes)) == nil, "byte \(index)")
            #expect(JournalSlot(record: Bytes(bytes[..<index])) == nil, "cut at \(index)")
        }
        #expect(JournalSlot(record: Bytes([UInt8](repeating: 0xff, count: 500))) == nil)
    }

    @Test func contentsThatAreWholeButWrongAreNotRead() {
        var random = SmallRandom(seed: 3)
        for _ in 0..<2_000 {
            let contents = (0..<random.below(80)).map { _ in UInt8(random.below(4) == 0 ? 255 : random.below(4)) }
            guard let record = JournalFrame.encode(contents), let slot = JournalSlot(record: record) else { continue }
            #expect(slot.encoded().flatMap { JournalSlot(record: $0) } == slot)
        }
    }

    @Test func textsAndRangesThatAreTooLongAreLeftOut() throws {
        var slot = slot(1)
        slot.version?.validators.eTag = String(repeating: "e", count: 2_000)
        for place in 0..<500 {
            let start = Int64(place * 10)
            slot.received.insert(start..<(start + 1 + Int64(place % 3)))
        }
        let record = try #require(slot.encoded())
        let read = try #require(JournalSlot(record: record))
        #expect(record.count <= JournalSlot.maximumBytes)
        #expect(read.version?.validators.eTag == nil)
        #expect(read.received.ranges.count == 96)
        #expect(read.received.ranges.allSatisfy { slot.received.contains($0) })
    }

    @Test func theHighestWholeSlotCounts() throws {
        let journal = try journal()
        #expect(try journal.newestSlot()?.slot == nil)
        for (area, sequence) in [(0, 1), (1, 2), (2, 3), (3, 5), (0, 4)] {
            try journal.write(slot(UInt64(sequence)), area: area)
        }
        #expect(try journal.newestSlot()?.slot.sequence == 5)
        #expect(try journal.olderArea(of: 0...1) == 1)
        #expect(try journal.olderArea(of: 2...3) == 2)
        damage { $0[(48 << 10) + 3 * (8 << 10) + 20] ^= 1 }
        #expect(try journal.newestSlot()?.slot.sequence == 4)
        #expect(try journal.olderArea(of: 2...3) == 3)
        damage { $0 = Array($0.prefix(48 << 10)) }
        #expect(try journal.newestSlot()?.slot == nil)
    }

    @Test func ofTwoIdentitiesTheNewestWholeOneCounts() throws {
        let journal = try journal()
        var identity = SimulatedDownload.identity
        identity.mirrors = ["https://b.test/file.bin"]
        identity.checksum = "sha-256=00"
        #expect(try journal.identity() == nil)
        try journal.write(identity, isNew: true)
        #expect(try journal.identity() == identity)
        var later = identity
        (later.priority, later.isPaused) = (2, true)
        try journal.write(later, isNew: false)
        #expect(try journal.identity() == later)
        damage { $0[(24 << 10) + 30] ^= 1 }
        #expect(try journal.identity() == identity)
        try journal.write(later, isNew: false)
        #expect(try journal.identity() == later)
        damage { $0 = [UInt8](repeating: 0, count: $0.count) }
        #expect(try journal.identity() == nil)
    }

    @Test func remainsOfAnotherJournalAreIgnored() throws {
        let older = try journal()
        try older.write(SimulatedDownload.identity, isNew: true)
        try older.write(SimulatedDownload.identity, isNew: false)
        for area in 0...3 { try older.write(slot(UInt64(area + 9)), area: area) }
        let identity = DownloadIdentity(id: UUID(), url: "https://b.test/", createdAt: Date(timeIntervalSince1970: 0))
        let journal = try journal(of: identity.id)
        #expect(try journal.identity() == nil)
        #expect(try journal.newestSlot()?.slot == nil)
        try journal.write(identity, isNew: true)
        #expect(try journal.identity() == identity)
        var own = slot(1)
        own.id = identity.id
        try journal.write(own, area: 0)
        #expect(try journal.newestSlot()?.slot == own)
        #expect(try journal.olderArea(of: 0...1) == 1)
    }

    @Test func anIdentityIsPrintedWithoutItsSecrets() {
        var identity = SimulatedDownload.identity
        identity.url += "?token=planted"
        identity.mirrors = ["https://user:planted@b.test/"]
        var dumped = "\(identity) \(String(reflecting: identity))"
        dump(identity, to: &dumped)
        #expect(!dumped.contains("planted"))
        #expect(dumped.contains("example.com"))
    }

    @Test func anIdentityThatIsTooLongIsRefusedWithoutItsSecrets() throws {
        var identity = SimulatedDownload.identity
        identity.url += "?token=planted" + String(repeating: "x", count: 30_000)
        let error = #expect(throws: DownloadError.self) { try journal().write(identity, isNew: true) }
        #expect(error?.code == .fileSystem)
        #expect(error?.description.contains("planted") == false)
    }

    @Test func bothSlotsDamagedMeansStartingOver() throws {
        let folder = try DownloadFolder.open("/simulated", disk: disk)
        try folder.create(SimulatedDownload.identity)
        let part = try folder.part(SimulatedDownload.id, clock: clock.netClock)
        try part.begin(DownloadVersion(length: 10))
        try part.write(Bytes([1, 2, 3]), at: 0)
        try part.close()
        #expect(try folder.restore().first?.received == 3)
        disk.state.withLock { state in
            for number in state.nodes.keys where (state.nodes[number]?.contents.count ?? 0) > 48 << 10 {
                state.nodes[number]?.contents.replaceSubrange(
                    (48 << 10)..., with: [UInt8](repeating: 0x4e, count: 32 << 10))
            }
        }
        #expect(try folder.restore().first?.received == 0)
        let again = try folder.part(SimulatedDownload.id, clock: clock.netClock)
        #expect(again.version == nil)
        #expect(again.received.isEmpty)
        try again.begin(DownloadVersion(length: 2))
        try again.write(Bytes([8, 9]), at: 0)
        _ = try again.finish(named: "a")
        #expect(disk.contents("a") == [8, 9])
    }
}
