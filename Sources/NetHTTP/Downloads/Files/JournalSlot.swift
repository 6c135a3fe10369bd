internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The recorded state of a part file's bytes at one moment.
struct JournalSlot: Sendable, Hashable {
    /// The maximum size of a slot in bytes.
    static let maximumBytes = 8 << 10
    /// The maximum number of ranges of each kind; beyond that, the smallest are omitted, and received again.
    private static let maximumRanges = 96
    /// The maximum size of a text from a response; a longer one is omitted. Without its validator, a file is received
    /// from the start.
    private static let maximumTextBytes = 1 << 10

    /// The ID of the task. A file may contain remnants of another journal.
    var id: UUID
    /// The sequence number of the slot within its journal. The slot with the highest number is current.
    var sequence: UInt64
    /// The boot during which `received` is valid.
    var bootID: String
    var version: DownloadVersion?
    /// The bytes written.
    var received = ByteRanges()
    /// The bytes written that have reached the disk.
    var flushed = ByteRanges()
    /// The name that the complete file is about to get.
    var finishing: Finishing?

    /// The target of a complete file.
    struct Finishing: Sendable, Hashable {
        /// The folder below the manager's.
        var folder: String
        var name: String
        /// The number of the file on its disk, which identifies it at the target.
        var number: UInt64
        /// The size of a decoded file; nil for the part file itself.
        var length: Int64?
    }

    /// Returns the valid bytes during the boot `bootID`: after another boot, only the flushed ones.
    func counted(in bootID: String) -> ByteRanges {
        !bootID.isEmpty && self.bootID == bootID ? received : flushed
    }

    /// Encodes the slot as a record; nil if the system forbids SHA-256.
    func encoded() -> Bytes? {
        var writer = JournalWriter()
        writer.write(id)
        writer.write(sequence)
        writer.write(bootID)
        // 1 is written by versions that knew no codings, and still without one.
        let isCoded = version?.coding != nil
        writer.write(UInt8(version == nil ? 0 : isCoded ? 2 : 1))
        if let version {
            for text in [version.validators.eTag, version.validators.lastModified, version.validators.date] {
                writer.write(Self.short(text))
            }
            writer.write(version.length ?? -1)
            writer.write(Self.short(version.fileName))
            if isCoded {
                writer.write(Self.short(version.coding))
                writer.write(UInt8(version.isPacked ? 1 : 0))
            }
        }
        writer.write(Self.limited(received)[...])
        writer.write(Self.limited(flushed)[...])
        writer.write(finishing?.folder)
        writer.write(finishing?.name)
        writer.write(finishing?.number ?? 0)
        if isCoded { writer.write(finishing?.length ?? -1) }
        return JournalFrame.encode(writer.bytes)
    }

    /// Decodes a slot; nil if the record isn't complete.
    init?(record: Bytes) {
        guard let contents = JournalFrame.decode(record) else { return nil }
        var reader = JournalReader(contents)
        guard let id = reader.readID(), let sequence = reader.readUInt64(), let boot = reader.readText(), let boot,
            let hasVersion = reader.readUInt8(), hasVersion <= 2
        else { return nil }
        self.init(id: id, sequence: sequence, bootID: boot)
        if hasVersion > 0 {
            guard let eTag = reader.readText(), let lastModified = reader.readText(), let date = reader.readText(),
                let length = reader.readInt64(), let fileName = reader.readText()
            else { return nil }
            version = DownloadVersion(
                validators: DownloadValidators(eTag: eTag, lastModified: lastModified, date: date),
                length: length < 0 ? nil : length, fileName: fileName)
        }
        if hasVersion == 2 {
            guard let coding = reader.readText(), let isPacked = reader.readUInt8() else { return nil }
            version?.coding = coding
            version?.isPacked = isPacked == 1
        }
        guard let received = reader.readRanges(), let flushed = reader.readRanges(), let folder = reader.readText(),
            let name = reader.readText(), let number = reader.readUInt64()
        else { return nil }
        var decoded: Int64 = -1
        if hasVersion == 2 {
            guard let length = reader.readInt64() else { return nil }
            decoded = length
        }
        guard reader.isAtEnd else { return nil }
        (self.received, self.flushed) = (received, flushed)
        if let folder, let name {
            finishing = Finishing(folder: folder, name: name, number: number, length: decoded < 0 ? nil : decoded)
        }
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
