import Foundation
import NetCore
import Testing

@testable import NetHTTP

/// The bytes of a download that count, and the times at which they are recorded.
@Suite struct PartProgressTests {
    private let id = UUID()
    private let limits = PartLimits(noteBytes: 10, flushBytes: 20, flushPause: .seconds(5))

    private func fresh(_ length: Int64? = 30) -> PartProgress {
        var progress = PartProgress(limits: limits, now: .zero)
        progress.startOver(DownloadVersion(length: length))
        return progress
    }

    @Test func aNoteIsDueBeforeSoManyBytes() {
        var progress = fresh()
        #expect(!progress.isNoteDue(beforeNext: 100), "nothing has come")
        #expect(!progress.hasUnnoted, "nothing has come")
        progress.wrote(0..<4)
        #expect(!progress.isNoteDue(beforeNext: 6))
        #expect(progress.isNoteDue(beforeNext: 7))
        #expect(progress.hasUnnoted)
        progress.didNote()
        #expect(!progress.hasUnnoted)
        #expect(!progress.isNoteDue(beforeNext: 7))
        #expect(progress.hasUnflushed)
        progress.noteFailed()
        #expect(progress.hasUnnoted)
    }

    @Test func aFlushIsDueAfterSoManyBytesOrSomeTime() {
        var progress = fresh()
        #expect(!progress.isFlushDue(at: .seconds(99)), "nothing has come")
        progress.wrote(0..<19)
        #expect(!progress.isFlushDue(at: .seconds(4.9)))
        #expect(progress.isFlushDue(at: .seconds(5)))
        progress.wrote(19..<20)
        #expect(progress.isFlushDue(at: .zero))
        progress.didFlush(ByteRanges([0..<15]), at: .seconds(7))
        #expect(!progress.isFlushDue(at: .seconds(11.9)))
        #expect(progress.isFlushDue(at: .seconds(12)))
        #expect(progress.flushed.ranges == [0..<15])
        #expect(progress.hasUnflushed)
        progress.didFlush(ByteRanges([0..<20]), at: .seconds(12))
        #expect(!progress.hasUnflushed)
        #expect(!progress.isFlushDue(at: .seconds(99)))
    }

    @Test func aFileIsCompleteWithEachByteAndNoMore() {
        for (ranges, length, isComplete): ([Range<Int64>], Int64?, Bool) in [
            ([0..<30], 30, true), ([0..<29], 30, false), ([1..<30], 30, false), ([0..<31], 30, false), ([], 0, true),
            ([0..<9], nil, true), ([1..<9], nil, false), ([], nil, true), ([0..<10, 11..<30], 30, false),
        ] {
            var progress = fresh(length)
            for range in ranges { progress.wrote(range) }
            #expect(progress.isComplete == isComplete, "\(ranges) \(length ?? -1)")
        }
    }

    @Test func aLengthIsNotedOnce() {
        var progress = fresh(nil)
        progress.setLength(nil)
        #expect(!progress.hasUnnoted)
        progress.setLength(9)
        #expect(progress.hasUnnoted)
        #expect(progress.version?.length == 9)
        progress.didNote()
        progress.setLength(9)
        #expect(!progress.hasUnnoted)
        var none = PartProgress(limits: limits, now: .zero)
        none.setLength(3)
        #expect(none.version == DownloadVersion(length: 3))
    }

    @Test func aFailedFlushTakesBackWhatIsNotOnTheDisk() {
        var progress = fresh()
        progress.wrote(0..<8)
        progress.didFlush(ByteRanges([0..<8]), at: .zero)
        progress.wrote(8..<9)
        let before = progress.generation
        progress.flushFailed(at: .seconds(3))
        #expect(progress.received.ranges == [0..<8])
        #expect(progress.generation == before + 1)
        #expect(progress.isDisputed)
        #expect(progress.hasUnnoted)
        #expect(!progress.isFlushDue(at: .seconds(99)))
        #expect(progress.isClaimedForLong)
        progress.didDisclaim()
        #expect(!progress.isDisputed)
        #expect(!progress.hasUnnoted)
        #expect(progress.isClaimedForLong)
        #expect(progress.isClaimed)
        progress.startOver(nil)
        #expect(progress.received.isEmpty)
        #expect(progress.flushed.isEmpty)
        #expect(progress.version == nil)
        #expect(progress.isDisputed, "the journal still says more")
        #expect(progress.generation == before + 2, "the journal still says more")
        progress.didDisclaim()
        #expect(!progress.isDisputed)
        #expect(!progress.isClaimedForLong)
    }

    @Test func eachSlotHasTheNextNumber() {
        var progress = fresh()
        let empty = progress.slot(of: id, bootID: "b")
        #expect(empty.sequence == 1)
        #expect(!progress.isClaimed)
        #expect(!progress.isClaimedForLong)
        #expect(empty.version?.length == 30)
        progress.wrote(0..<3)
        let some = progress.slot(of: id, bootID: "b")
        #expect(some.sequence == 2)
        #expect(progress.isClaimed)
        #expect(!progress.isClaimedForLong)
        #expect(some.received.ranges == [0..<3])
        #expect(some.flushed.isEmpty)
        #expect(some.finishing == nil)
        progress.didFlush(ByteRanges([0..<3]), at: .zero)
        let finishing = JournalSlot.Finishing(folder: "f", name: "n", number: 1)
        let last = progress.slot(of: id, bootID: "b", finishing: finishing)
        #expect(last.sequence == 3)
        #expect(progress.isClaimedForLong)
        #expect(last.finishing == finishing)
    }

    private func restored(
        _ received: [Range<Int64>], flushed: [Range<Int64>], length: Int64?, boot: String = "b"
    ) -> PartProgress {
        var slot = JournalSlot(id: id, sequence: 8, bootID: boot, version: DownloadVersion(length: 30))
        (slot.received, slot.flushed) = (ByteRanges(received), ByteRanges(flushed))
        return PartProgress(slot: slot, length: length, bootID: "b", limits: limits, now: .zero)
    }

    @Test func afterARestartWhatTheFileHasCounts() {
        var whole = restored([0..<9], flushed: [0..<5], length: 9)
        #expect(whole.received.ranges == [0..<9])
        #expect(whole.flushed.ranges == [0..<5])
        #expect(!whole.isDisputed)
        #expect(whole.isClaimedForLong)
        #expect(whole.version?.length == 30)
        #expect(whole.slot(of: id, bootID: "b").sequence == 9)
        let short = restored([0..<9], flushed: [0..<5], length: 8)
        #expect(short.received.ranges == [0..<8])
        #expect(short.isDisputed)
        #expect(short.hasUnnoted)
        let shorter = restored([0..<9], flushed: [0..<5], length: 4)
        #expect(shorter.flushed.ranges == [0..<4])
        #expect(shorter.isDisputed)
        let reset = restored([0..<9], flushed: [0..<5], length: 9, boot: "other")
        #expect(reset.received.ranges == [0..<5])
        #expect(!reset.isDisputed)
        let none = restored([0..<9], flushed: [], length: 0)
        #expect(none.received.isEmpty)
        #expect(none.version == nil)
        #expect(none.isDisputed)
        let gone = restored([0..<9], flushed: [0..<5], length: nil)
        #expect(gone.received.isEmpty)
        #expect(gone.version == nil)
        #expect(gone.isDisputed)
        let new = PartProgress(slot: nil, length: nil, bootID: "b", now: .zero)
        #expect(!new.isDisputed)
        #expect(!new.isClaimedForLong)
        #expect(new.received.isEmpty)
    }

    @Test func numbersAndTextsOfAJournalAreReadWholeOrNotAtAll() {
        var writer = JournalWriter()
        writer.write(UInt8(1))
        writer.write(UInt16(0x0203))
        writer.write("é")
        writer.write(String?.none)
        let ranges: [Range<Int64>] = [0..<2, 5..<9]
        writer.write(ranges[...])
        writer.write(id)
        var reader = JournalReader(Bytes(writer.bytes))
        #expect(writer.bytes.prefix(3) == [1, 3, 2])
        #expect(reader.readUInt8() == 1)
        #expect(reader.readUInt16() == 0x0203)
        #expect(reader.readText() == "é")
        #expect(reader.readText() == .some(nil))
        #expect(reader.readRanges()?.ranges == [0..<2, 5..<9])
        #expect(!reader.isAtEnd)
        #expect(reader.readID() == id)
        #expect(reader.isAtEnd)
        #expect(reader.readUInt8() == nil)
        #expect(reader.readID() == nil)
        #expect(reader.readText() == .none)
        var long = JournalWriter()
        for count in [65_534, 65_535] { long.write(String(repeating: "x", count: count)) }
        var longReader = JournalReader(Bytes(long.bytes))
        #expect(longReader.readText()??.utf8.count == 65_534)
        #expect(longReader.readText() == .some(nil))
        #expect(longReader.isAtEnd)
        for (start, end, isRead): (Int64, Int64, Bool) in [(0, 0, true), (0, 1, true), (-1, 1, false), (2, 1, false)] {
            var writer = JournalWriter()
            writer.write(UInt16(1))
            writer.write(start)
            writer.write(end)
            var reader = JournalReader(Bytes(writer.bytes))
            #expect((reader.readRanges() != nil) == isRead, "\(start) \(end)")
            var cut = JournalReader(Bytes(writer.bytes.dropLast()))
            #expect(cut.readRanges() == nil)
        }
    }

    @Test func aFrameHasItsLengthInItsHead() throws {
        let record = try #require(JournalFrame.encode([1, 2, 3]))
        try #require(record.count == 43)
        #expect(JournalFrame.length(of: 3) == 43)
        #expect(JournalFrame.length(head: record) == 43)
        #expect(JournalFrame.decode(record) == Bytes([1, 2, 3]))
        #expect(JournalFrame.decode(record + Bytes([9])) != nil)
        #expect(JournalFrame.length(head: record[0..<8]) == 43)
        #expect(JournalFrame.length(head: record[0..<7]) == nil)
        #expect((0...1).other(0) == 1)
        #expect((0...1).other(1) == 0)
        #expect((2...3).other(3) == 2)
        #expect(DownloadJournal.maximumIdentityBytes == 24_576)
        #expect(JournalSlot.maximumBytes == 8192)
    }
}
