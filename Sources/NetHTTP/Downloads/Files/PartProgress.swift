#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The valid bytes of a part file, and the bytes that its journal describes as valid. A pure value; the driver is
/// ``PartFile``.
///
/// | event | `received` | `flushed` | the journal afterwards |
/// |---|---|---|---|
/// | `wrote` | grows | unchanged | unchanged; at most `noteBytes` are noted later |
/// | `didFlush` | unchanged | adds the bytes received when the flush began | records that |
/// | `flushFailed` | falls back to `flushed` | unchanged | records that, as soon as it can be written |
/// | `startOver` | empty | empty | records that before the first byte of another version is written |
struct PartProgress: Sendable {
    private let limits: PartLimits
    private(set) var version: DownloadVersion?
    private(set) var received = ByteRanges()
    private(set) var flushed = ByteRanges()
    /// Changes whenever bytes become invalid: bytes that are being written at that time aren't valid either.
    private(set) var generation = 0
    /// True if a slot on the disk may describe bytes as valid.
    private(set) var isClaimed = false
    /// True if retracting an invalid slot requires a flushed slot.
    var isClaimedForLong: Bool { hasFlushedSlot || isClaimFalse }
    private var hasFlushedSlot = false
    private var sequence: UInt64 = 0
    private var unnoted: Int64 = 0
    private var unflushed: Int64 = 0
    private var lastFlush: Duration
    /// The version has changed, but not the bytes.
    private var isVersionNew = false
    /// A slot on the disk describes bytes as valid that aren't.
    private var isClaimFalse = false

    init(limits: PartLimits, now: Duration) {
        self.limits = limits
        lastFlush = now
    }

    /// Continues from a journal.
    ///
    /// - Parameters:
    ///   - slot: The newest slot; nil if there is none.
    ///   - length: The length of the part file; nil if there is none.
    init(slot: JournalSlot?, length: Int64?, bootID: String, limits: PartLimits = .standard, now: Duration) {
        self.init(limits: limits, now: now)
        guard let slot else { return }
        sequence = slot.sequence
        let claimed = slot.counted(in: bootID)
        // The disk may have an older slot with more bytes, if the slot that retracted it wasn't flushed.
        (isClaimed, hasFlushedSlot) = (true, true)
        guard let length else { return }
        version = slot.version
        (received, flushed) = (claimed, slot.flushed)
        received.removeAll(from: length)
        flushed.removeAll(from: length)
        // A slot with more bytes would be accepted again once the file has grown beyond the hole.
        isClaimFalse = received != claimed || flushed != slot.flushed
        if received.isEmpty { version = nil }
    }

    /// True if the journal must be written before the file.
    var isDisputed: Bool { isClaimFalse || isClaimed && received.isEmpty }
    /// True if there are bytes that a flush would secure.
    var hasUnflushed: Bool { received != flushed }
    var hasUnnoted: Bool { unnoted > 0 || isVersionNew || isClaimFalse }

    /// Returns true if the file is complete, from the first to the last byte.
    var isComplete: Bool { received.gaps(upTo: version?.length ?? received.end).isEmpty && !isTooLong }

    private var isTooLong: Bool { version?.length.map { received.end > $0 } ?? false }

    mutating func wrote(_ range: Range<Int64>) {
        received.insert(range)
        unnoted += Int64(range.count)
        unflushed += Int64(range.count)
    }

    /// Returns true if the journal must be written before another `count` bytes are.
    func isNoteDue(beforeNext count: Int) -> Bool { unnoted > 0 && unnoted + Int64(count) > limits.noteBytes }

    func isFlushDue(at now: Duration) -> Bool {
        unflushed >= limits.flushBytes || unflushed > 0 && now - lastFlush >= limits.flushPause
    }

    mutating func didFlush(_ bytes: ByteRanges, at now: Duration) {
        flushed.formUnion(bytes)
        unflushed = received.count - flushed.count
        lastFlush = now
    }

    /// The bytes written since the last flush can't be trusted: the kernel drops them, and the next flush succeeds.
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

    /// Returns the next slot to write. Even if writing fails, its sequence number isn't used again.
    mutating func slot(of id: UUID, bootID: String, finishing: JournalSlot.Finishing? = nil) -> JournalSlot {
        sequence += 1
        var slot = JournalSlot(id: id, sequence: sequence, bootID: bootID, version: version)
        (slot.received, slot.flushed, slot.finishing) = (received, flushed, finishing)
        isClaimed = isClaimed || !received.isEmpty
        hasFlushedSlot = hasFlushedSlot || !flushed.isEmpty
        return slot
    }

    /// The journal now describes the valid bytes.
    mutating func didNote() { (unnoted, isVersionNew) = (0, false) }

    /// The journal may describe fewer bytes than were noted.
    mutating func noteFailed() { isVersionNew = true }

    /// No slot on the disk describes invalid bytes as valid.
    mutating func didDisclaim() {
        didNote()
        isClaimFalse = false
        (isClaimed, hasFlushedSlot) = (!received.isEmpty, !flushed.isEmpty)
    }
}
