#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Which bytes of a part file count, and what its journal says of them. Pure; the driver is ``PartFile``.
///
/// | event | `received` | `flushed` | the journal afterwards |
/// |---|---|---|---|
/// | `wrote` | grows | stays | as before: at most a block is noted later |
/// | `didFlush` | stays | gets what was received when the flush began | says so |
/// | `flushFailed` | falls back to `flushed` | stays | says so, as soon as it can be written |
/// | `startOver` | empty | empty | says so before the first byte of another version is written |
struct PartProgress: Sendable {
    private let limits: PartLimits
    private(set) var version: DownloadVersion?
    private(set) var received = ByteRanges()
    private(set) var flushed = ByteRanges()
    /// Changes whenever bytes stop counting: what was being written in the meantime doesn't count either.
    private(set) var generation = 0
    /// True if a slot on the disk may say that bytes count.
    private(set) var isClaimed = false
    /// True if a slot that isn't to be believed has to be taken back on the disk itself.
    var isClaimedForLong: Bool { hasFlushedSlot || isClaimFalse }
    private var hasFlushedSlot = false
    private var sequence: UInt64 = 0
    private var unnoted: Int64 = 0
    private var unflushed: Int64 = 0
    private var lastFlush: Duration
    /// The version changed, but not the bytes.
    private var isVersionNew = false
    /// A slot on the disk says that bytes count which don't.
    private var isClaimFalse = false

    init(limits: PartLimits, now: Duration) {
        self.limits = limits
        lastFlush = now
    }

    /// Continues where a journal left off.
    ///
    /// - Parameters:
    ///   - slot: The newest slot; nil if there is none.
    ///   - length: The length of the part file; nil if there is none.
    init(slot: JournalSlot?, length: Int64?, bootID: String, limits: PartLimits = .standard, now: Duration) {
        self.init(limits: limits, now: now)
        guard let slot else { return }
        sequence = slot.sequence
        let claimed = slot.counted(in: bootID)
        // An older slot that says more may be on the disk, if one that took it back wasn't flushed.
        (isClaimed, hasFlushedSlot) = (true, true)
        guard let length else { return }
        version = slot.version
        (received, flushed) = (claimed, slot.flushed)
        received.removeAll(from: length)
        flushed.removeAll(from: length)
        // A slot that says more would be believed again, once the file has grown over the hole.
        isClaimFalse = received != claimed || flushed != slot.flushed
        if received.isEmpty { version = nil }
    }

    /// True if the journal has to be written before the file is.
    var isDisputed: Bool { isClaimFalse || isClaimed && received.isEmpty }
    /// True if there are bytes that a flush would secure.
    var hasUnflushed: Bool { received != flushed }
    var hasUnnoted: Bool { unnoted > 0 || isVersionNew || isClaimFalse }

    /// Returns true if every byte is there, from the first to the last one.
    var isComplete: Bool { received.gaps(upTo: version?.length ?? received.end).isEmpty && !isTooLong }

    private var isTooLong: Bool { version?.length.map { received.end > $0 } ?? false }

    mutating func wrote(_ range: Range<Int64>) {
        received.insert(range)
        unnoted += Int64(range.count)
        unflushed += Int64(range.count)
    }

    /// Returns true if the journal is to be written before another `count` bytes are.
    func isNoteDue(beforeNext count: Int) -> Bool { unnoted > 0 && unnoted + Int64(count) > limits.noteBytes }

    func isFlushDue(at now: Duration) -> Bool {
        unflushed >= limits.flushBytes || unflushed > 0 && now - lastFlush >= limits.flushPause
    }

    mutating func didFlush(_ bytes: ByteRanges, at now: Duration) {
        flushed.formUnion(bytes)
        unflushed = received.count - flushed.count
        lastFlush = now
    }

    /// What was written since the last flush can't be trusted: the kernel drops it, and the next flush succeeds.
    mutating func flushFailed(at now: Duration) {
        received = flushed
        (unnoted, unflushed, lastFlush, isClaimFalse) = (0, 0, now, true)
        generation += 1
    }

    mutating func startOver(_ version: DownloadVersion?) {
        self.version = version
        (received, flushed) = (ByteRanges(), ByteRanges())
        (unnoted, unflushed) = (0, 0)
        generation += 1
    }

    mutating func setLength(_ length: Int64?) {
        guard version?.length != length else { return }
        version = version ?? DownloadVersion()
        version?.length = length
        isVersionNew = true
    }

    /// Returns the next slot to write. Whether or not that succeeds, its sequence isn't used again.
    mutating func slot(of id: UUID, bootID: String, finishing: JournalSlot.Finishing? = nil) -> JournalSlot {
        sequence += 1
        var slot = JournalSlot(id: id, sequence: sequence, bootID: bootID, version: version)
        (slot.received, slot.flushed, slot.finishing) = (received, flushed, finishing)
        isClaimed = isClaimed || !received.isEmpty
        hasFlushedSlot = hasFlushedSlot || !flushed.isEmpty
        return slot
    }

    /// The journal says what counts now.
    mutating func didNote() { (unnoted, isVersionNew) = (0, false) }

    /// The journal may say less than was noted.
    mutating func noteFailed() { isVersionNew = true }

    /// No slot on the disk says that bytes count.
    mutating func didDisclaim() {
        didNote()
        isClaimFalse = false
        (isClaimed, hasFlushedSlot) = (!received.isEmpty, !flushed.isEmpty)
    }
}
