internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The file that describes a task and records which bytes of its part file are valid.
///
/// ```text
/// 0       24 KiB  48 KiB                             80 KiB
/// identity identity  slot slot (notes)  slot slot (flushed)
/// ```
///
/// Each record is a ``JournalFrame``. Every kind of record has two areas that are written in turn: while one is being
/// written, the other is complete. Notes survive the end of the process. Flushed slots survive a power failure: the
/// bytes of the part file reach the disk before such a slot is written, and the slot is flushed afterwards.
///
/// Its functions block.
final class DownloadJournal: Sendable {
    /// The maximum size of an identity; enough for a URL of 8 KiB and some mirrors.
    static let maximumIdentityBytes = 24 << 10
    static let noteAreas = 0...1
    static let flushedAreas = 2...3

    private let file: DiskFile
    private let id: UUID

    init(_ file: DiskFile, of id: UUID) { (self.file, self.id) = (file, id) }

    /// Reads the identity; nil if there is no complete one.
    func identity() throws(DiskFailure) -> DownloadIdentity? { try newestIdentity()?.identity }

    /// Replaces the identity and waits until it has reached the disk, unless the journal is new.
    func write(_ identity: DownloadIdentity, isNew: Bool) throws(DownloadError) {
        let action = "write the journal of the download"
        let newest = isNew ? nil : try onDisk(action) { () throws(DiskFailure) in try newestIdentity() }
        var writer = JournalWriter()
        writer.write((newest?.sequence ?? 0) + 1)
        guard let json = try? JSONCoding.standard.encode(identity),
            case let contents = writer.bytes + json,
            JournalFrame.length(of: contents.count) <= Self.maximumIdentityBytes
        else {
            throw DownloadError(
                .fileSystem, message: "the URLs and names of the download are too long for its journal; shorten them",
                url: identity.url)
        }
        guard let record = JournalFrame.encode(contents) else { throw Self.noHash }
        let area = newest.map { 1 - $0.area } ?? 0
        try onDisk(action) { () throws(DiskFailure) in
            try file.write(record, at: Int64(area * Self.maximumIdentityBytes))
            if !isNew { try flush() }
        }
    }

    /// Returns the complete slot with the highest sequence number, and its area; nil if there is none.
    func newestSlot() throws(DiskFailure) -> (slot: JournalSlot, area: Int)? {
        // Nearly all journals are new, and end before the first slot.
        guard try file.disk.status(of: file.descriptor).length > Self.offset(of: 0) else { return nil }
        var newest: (slot: JournalSlot, area: Int)?
        for area in Self.noteAreas.lowerBound...Self.flushedAreas.upperBound {
            guard let slot = try slot(in: area) else { continue }
            guard slot.sequence >= newest?.slot.sequence ?? 0 else { continue }
            newest = (slot, area)
        }
        return newest
    }

    /// Returns the one of two areas that has no complete slot, or else the older one.
    func olderArea(of areas: ClosedRange<Int>) throws(DiskFailure) -> Int {
        var sequences: [UInt64] = []
        for area in areas {
            sequences.append(try slot(in: area)?.sequence ?? 0)
        }
        return sequences[0] <= sequences[1] ? areas.lowerBound : areas.upperBound
    }

    func write(_ slot: JournalSlot, area: Int) throws(DownloadError) {
        guard let record = slot.encoded() else { throw Self.noHash }
        try onDisk("write the journal of the download") { () throws(DiskFailure) in
            try file.write(record, at: Self.offset(of: area))
        }
    }

    /// Removes the content of the journal, because its task is over.
    func empty() throws(DiskFailure) { try file.disk.setLength(0, of: file.descriptor) }

    /// Waits until the journal has reached the disk.
    func flush() throws(DiskFailure) { try file.disk.flush(file.descriptor) }

    private static func offset(of area: Int) -> Int64 {
        Int64(2 * maximumIdentityBytes + area * JournalSlot.maximumBytes)
    }

    private static var noHash: DownloadError {
        DownloadError(
            .fileSystem, message: "the journal cannot be written without SHA-256, which the system's libcrypto forbids")
    }

    private func newestIdentity() throws(DiskFailure) -> (identity: DownloadIdentity, sequence: UInt64, area: Int)? {
        var newest: (identity: DownloadIdentity, sequence: UInt64, area: Int)?
        for area in 0...1 {
            let offset = Int64(area * Self.maximumIdentityBytes)
            guard let record = try record(at: offset, limit: Self.maximumIdentityBytes),
                let contents = JournalFrame.decode(record)
            else { continue }
            var reader = JournalReader(contents)
            guard let sequence = reader.readUInt64(), sequence >= newest?.sequence ?? 0,
                let identity = try? JSONCoding.standard.decode(
                    DownloadIdentity.self, from: contents[8..<contents.count]),
                identity.id == id
            else { continue }
            newest = (identity, sequence, area)
        }
        return newest
    }

    private func slot(in area: Int) throws(DiskFailure) -> JournalSlot? {
        let record = try record(at: Self.offset(of: area), limit: JournalSlot.maximumBytes)
        return record.flatMap { JournalSlot(record: $0) }.flatMap { $0.id == id ? $0 : nil }
    }

    /// Reads the record at an offset; nil if no record begins there.
    private func record(at offset: Int64, limit: Int) throws(DiskFailure) -> Bytes? {
        let start = try file.read(at: offset, count: 1024)
        guard let length = JournalFrame.length(head: start), length <= limit else { return nil }
        return length <= start.count ? start : try file.read(at: offset, count: length)
    }
}
