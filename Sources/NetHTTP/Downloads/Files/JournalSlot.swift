internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a journal says of the bytes of a part file at one moment.
struct JournalSlot: Sendable, Hashable {
    /// The area of a slot in bytes.
    static let maximumBytes = 8 << 10
    /// The maximum number of ranges of each kind; the smallest of more are left out, and received again.
    private static let maximumRanges = 96
    /// A longer text of a response is left out: without its validator, a file is received from the start.
    private static let maximumTextBytes = 1 << 10

    /// The task that it belongs to. A file may hold what is left of another journal.
    var id: UUID
    /// Counts the slots of a journal. The highest one counts.
    var sequence: UInt64
    /// The time since a start of the machine in which `received` counts.
    var bootID: String
    var version: DownloadVersion?
    /// What was written.
    var received = ByteRanges()
    /// What was written and has reached the disk.
    var flushed = ByteRanges()
    /// The name that the complete file is about to get.
    var finishing: Finishing?

    /// The place that a complete file is moved to.
    struct Finishing: Sendable, Hashable {
        /// The folder below the manager's.
        var folder: String
        var name: String
        /// The number of the file on its disk, by which it's recognized there.
        var number: UInt64
    }

    /// Returns what counts while the machine runs with `bootID`: after another start, only what had reached the disk.
    func counted(in bootID: String) -> ByteRanges {
        !bootID.isEmpty && self.bootID == bootID ? received : flushed
    }

    /// Returns the slot as a record; nil if the system forbids SHA-256.
    func encoded() -> Bytes? {
        var writer = JournalWriter()
        writer.write(id)
        writer.write(sequence)
        writer.write(bootID)
        writer.write(UInt8(version == nil ? 0 : 1))
        if let version {
            for text in [version.validators.eTag, version.validators.lastModified, version.validators.date] {
                writer.write(Self.short(text))
            }
            writer.write(version.length ?? -1)
            writer.write(Self.short(version.fileName))
        }
        writer.write(Self.limited(received)[...])
        writer.write(Self.limited(flushed)[...])
        writer.write(finishing?.folder)
        writer.write(finishing?.name)
        writer.write(finishing?.number ?? 0)
        return JournalFrame.encode(writer.bytes)
    }

    /// Reads a slot; nil if it isn't a whole one.
    init?(record: Bytes) {
        guard let contents = JournalFrame.decode(record) else { return nil }
        var reader = JournalReader(contents)
        guard let id = reader.readID(), let sequence = reader.readUInt64(), let boot = reader.readText(), let boot,
            let hasVersion = reader.readUInt8()
        else { return nil }
        self.init(id: id, sequence: sequence, bootID: boot)
        if hasVersion == 1 {
            guard let eTag = reader.readText(), let lastModified = reader.readText(), let date = reader.readText(),
                let length = reader.readInt64(), let fileName = reader.readText()
            else { return nil }
            version = DownloadVersion(
                validators: DownloadValidators(eTag: eTag, lastModified: lastModified, date: date),
                length: length < 0 ? nil : length, fileName: fileName)
        }
        guard let received = reader.readRanges(), let flushed = reader.readRanges(), let folder = reader.readText(),
            let name = reader.readText(), let number = reader.readUInt64(), reader.isAtEnd
        else { return nil }
        (self.received, self.flushed) = (received, flushed)
        if let folder, let name { finishing = Finishing(folder: folder, name: name, number: number) }
    }

    init(id: UUID, sequence: UInt64, bootID: String, version: DownloadVersion? = nil) {
        (self.id, self.sequence, self.bootID, self.version) = (id, sequence, bootID, version)
    }

    private static func short(_ text: String?) -> String? {
        text.flatMap { $0.utf8.count <= maximumTextBytes ? $0 : nil }
    }

    private static func limited(_ ranges: ByteRanges) -> [Range<Int64>] {
        guard ranges.ranges.count > maximumRanges else { return ranges.ranges }
        return Array(ranges.ranges.sorted { $0.count > $1.count }.prefix(maximumRanges))
    }
}
