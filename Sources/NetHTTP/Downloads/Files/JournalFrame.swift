internal import NetCore
internal import NetCrypto

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A record of a journal: a mark, the length, the contents, and a SHA-256 of everything before it. Torn, damaged or
/// unwritten records are detected and ignored.
enum JournalFrame {
    /// The mark of this format. Later formats have different marks.
    static let mark: UInt32 = 0x314a_444e  // NDJ1
    static let headBytes = 8
    private static let digestBytes = 32

    /// Encodes the contents as a record; nil if the system forbids SHA-256.
    static func encode(_ contents: [UInt8]) -> Bytes? {
        var writer = JournalWriter()
        writer.write(mark)
        writer.write(UInt32(truncatingIfNeeded: contents.count))
        let body = Bytes(writer.bytes + contents)
        guard let digest = RunningHash.digest(of: body, .sha256) else { return nil }
        return body + digest
    }

    /// The size of a record with contents of this length, in bytes.
    static func length(of contents: Int) -> Int { headBytes + contents + digestBytes }

    /// Returns the size of the record with this beginning; nil if it isn't the beginning of a record.
    static func length(head: Bytes) -> Int? {
        var reader = JournalReader(head)
        guard reader.readUInt32() == mark, let count = reader.readUInt32() else { return nil }
        return length(of: Int(count))
    }

    /// Returns the contents of a complete record; nil if it's damaged.
    static func decode(_ record: Bytes) -> Bytes? {
        guard let length = length(head: record), length <= record.count,
            case let end = length - digestBytes,
            RunningHash.digest(of: record[0..<end], .sha256) == record[end..<length]
        else { return nil }
        return record[headBytes..<end]
    }
}

/// Writes the numbers and texts of a journal, in little-endian order.
struct JournalWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes a text with its length; nil, or a text of 65,535 bytes or more, is written as none.
    mutating func write(_ text: String?) {
        guard let text, let count = UInt16(exactly: text.utf8.count), count < .max else { return write(UInt16.max) }
        write(count)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func write(_ id: UUID) {
        withUnsafeBytes(of: id.uuid) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ ranges: ArraySlice<Range<Int64>>) {
        write(UInt16(truncatingIfNeeded: ranges.count))
        for range in ranges {
            write(range.lowerBound)
            write(range.upperBound)
        }
    }
}

/// Reads the values written by a ``JournalWriter``; nil if a value is missing.
struct JournalReader {
    private let bytes: Bytes
    private var offset = 0

    init(_ bytes: Bytes) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func readUInt8() -> UInt8? { read() }
    mutating func readUInt16() -> UInt16? { read() }
    mutating func readUInt32() -> UInt32? { read() }
    mutating func readUInt64() -> UInt64? { read() }
    mutating func readInt64() -> Int64? { read() }

    mutating func readID() -> UUID? {
        guard offset + 16 <= bytes.count else { return nil }
        defer { offset += 16 }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(fromByteOffset: offset, as: uuid_t.self)) }
    }

    private mutating func read<Number: FixedWidthInteger>() -> Number? {
        let count = MemoryLayout<Number>.size
        guard offset + count <= bytes.count else { return nil }
        defer { offset += count }
        return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
    }

    /// The outer nil is a missing value; the inner nil is a text that was written as none.
    mutating func readText() -> String?? {
        guard let count = readUInt16() else { return nil }
        guard count < .max else { return .some(nil) }
        guard offset + Int(count) <= bytes.count else { return nil }
        defer { offset += Int(count) }
        return .some(String(decoding: bytes[offset..<(offset + Int(count))], as: UTF8.self))
    }

    mutating func readRanges() -> ByteRanges? {
        guard let count = readUInt16() else { return nil }
        var ranges = ByteRanges()
        for _ in 0..<count {
            guard let start = readInt64(), let end = readInt64(), start >= 0, start <= end else { return nil }
            ranges.insert(start..<end)
        }
        return ranges
    }
}
