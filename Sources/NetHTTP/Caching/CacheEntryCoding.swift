internal import HTTPTypes
internal import NetCore
internal import NetCrypto

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The file format of the heads under one key: length-prefixed and number fields in a fixed order, little-endian,
/// then a SHA-256 of everything before. A file that doesn't decode exactly is rejected.
enum CacheEntryCoding {
    /// The first bytes; the last one is the version. Version 2 stored the responses to client certificates, and those to
    /// some headers that identify a user, as everyone's; version 3 had no protocol versions.
    static let mark: [UInt8] = Array("NetCach".utf8) + [4]
    static let digestBytes = 32

    static func encode(_ entries: [CacheEntry], key: CacheKey) -> Bytes {
        var writer = CacheRecordWriter()
        writer.bytes = mark
        writer.write(key.url)
        writer.write(key.partition)
        writer.write(key.identity.seal ?? "")
        writer.write(UInt64(entries.count))
        for entry in entries { write(entry, &writer) }
        let digest = RunningHash.digest(of: Bytes(writer.bytes), .sha256) ?? Bytes()
        return Bytes(writer.bytes + digest)
    }

    /// Decodes the heads and their key; nil if any byte was changed.
    static func decode(_ file: Bytes) -> (key: CacheKey, entries: [CacheEntry])? {
        guard file.count > mark.count + digestBytes, file.starts(with: mark) else { return nil }
        let content = file[0..<(file.count - digestBytes)]
        guard RunningHash.digest(of: content, .sha256) == file[(file.count - digestBytes)..<file.count] else {
            return nil
        }
        var reader = CacheRecordReader(content[mark.count..<content.count])
        guard let url = reader.string(), let partition = reader.string(), let seal = reader.string(),
            let count = reader.number(), count <= 1 << 16
        else { return nil }
        let key = CacheKey(stored: url, partition: partition, identity: seal.isEmpty ? .everyone : .sealed(seal))
        var entries: [CacheEntry] = []
        for _ in 0..<count {
            guard let entry = entry(&reader, key) else { return nil }
            entries.append(entry)
        }
        return reader.isAtEnd ? (key, entries) : nil
    }

    private static func write(_ entry: CacheEntry, _ writer: inout CacheRecordWriter) {
        writer.write(entry.id.rawValue)
        writer.write(UInt64(entry.status.code))
        writer.write(entry.status.reasonPhrase)
        writer.write(entry.version)
        writer.write(entry.arrival.date.timeIntervalSinceReferenceDate.bitPattern)
        writer.write(UInt64(bitPattern: entry.arrival.delay.inNanoseconds))
        writer.write(UInt64(entry.isOutdated ? 1 : 0))
        writer.write(UInt64(entry.coding.rawValue))
        writer.write(UInt64(entry.part == nil ? 0 : entry.part?.range == nil ? 1 : 2))
        if let part = entry.part {
            writer.write(part.requested)
            if let range = part.range {
                writer.write(UInt64(bitPattern: range.bytes.lowerBound))
                writer.write(UInt64(bitPattern: range.bytes.upperBound))
                writer.write(UInt64(bitPattern: range.total ?? -1))
            }
        }
        writer.write(UInt64(entry.tags.count))
        for tag in entry.tags { writer.write(tag) }
        writer.write(UInt64(entry.selection.headers.count))
        for field in entry.selection.headers {
            writer.write(field.name)
            writer.write(UInt64(field.value == nil ? 0 : 1))
            if let value = field.value { writer.write(value) }
        }
        writer.write(UInt64(entry.headers.count))
        for field in entry.headers {
            writer.write(field.name.rawName)
            field.withUnsafeBytesOfValue { writer.write(bytes: $0) }
        }
        writer.write(UInt64(bitPattern: entry.bodyLength))
        writer.write(bytes: entry.digest)
    }

    private static func entry(_ reader: inout CacheRecordReader, _ key: CacheKey) -> CacheEntry? {
        guard let id = reader.number(), let code = reader.number(), (100...999).contains(code),
            let reason = reader.string(), let version = reader.string(),
            let date = reader.number().map({ Double(bitPattern: $0) }), date.isFinite,
            let delay = reader.number(), let isOutdated = reader.number(),
            let coding = reader.number().flatMap({ CacheEntry.Coding(rawValue: UInt8(truncatingIfNeeded: $0)) }),
            let part = part(&reader), let tags = reader.list({ $0.string() }),
            let selection = reader.list({ selected(&$0) }), let headers = reader.list({ field(&$0) }),
            let length = reader.number(), let digest = reader.bytes()
        else { return nil }
        var entry = CacheEntry(
            id: CacheEntry.ID(rawValue: id), key: key,
            status: HTTPResponse.Status(code: Int(code), reasonPhrase: reason), headers: HTTPFields(headers),
            arrival: Arrival(
                date: Date(timeIntervalSinceReferenceDate: date), reading: nil,
                delay: .nanoseconds(Int64(bitPattern: delay))),
            tags: tags, selection: VarySelection(headers: selection), coding: coding, part: part)
        entry.version = version
        entry.isOutdated = isOutdated != 0
        entry.bodyLength = Int64(bitPattern: length)
        entry.digest = Bytes(digest)
        return entry.bodyLength >= 0 ? entry : nil
    }

    /// Reads a part or none; nil if it can't be read.
    private static func part(_ reader: inout CacheRecordReader) -> CacheEntry.Part?? {
        guard let kind = reader.number() else { return nil }
        if kind == 0 { return .some(nil) }
        guard kind <= 2, let requested = reader.string() else { return nil }
        if kind == 1 { return CacheEntry.Part(range: nil, requested: requested) }
        guard let lower = reader.number().map({ Int64(bitPattern: $0) }), lower >= 0,
            let upper = reader.number().map({ Int64(bitPattern: $0) }), upper >= lower,
            let total = reader.number().map({ Int64(bitPattern: $0) })
        else { return nil }
        return CacheEntry.Part(
            range: ContentRange(bytes: lower..<upper, total: total < 0 ? nil : total), requested: requested)
    }

    private static func selected(_ reader: inout CacheRecordReader) -> VarySelection.Field? {
        guard let name = reader.string(), let hasValue = reader.number() else { return nil }
        if hasValue == 0 { return VarySelection.Field(name: name, value: nil) }
        return reader.string().map { VarySelection.Field(name: name, value: $0) }
    }

    private static func field(_ reader: inout CacheRecordReader) -> HTTPField? {
        guard let name = reader.string().flatMap({ HTTPField.Name($0) }), let value = reader.bytes() else { return nil }
        return HTTPField(name: name, value: value)
    }
}

/// Writes numbers and texts one after the other.
struct CacheRecordWriter {
    var bytes: [UInt8] = []

    mutating func write(_ number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    mutating func write(_ text: String) { write(bytes: text.utf8) }

    mutating func write(bytes more: some Collection<UInt8>) {
        write(UInt64(more.count))
        bytes += more
    }
}

/// Reads them back; nil if too few bytes remain.
struct CacheRecordReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: Bytes) { rest = Array(bytes)[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number() -> UInt64? {
        guard rest.count >= 8 else { return nil }
        defer { rest = rest.dropFirst(8) }
        return rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }

    mutating func bytes() -> ArraySlice<UInt8>? {
        guard let count = number(), count <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }

    mutating func string() -> String? { bytes().flatMap { String(validating: $0, as: UTF8.self) } }

    mutating func list<Element>(_ element: (inout CacheRecordReader) -> Element?) -> [Element]? {
        guard let count = number(), count <= UInt64(rest.count) else { return nil }
        var list: [Element] = []
        for _ in 0..<count {
            guard let next = element(&self) else { return nil }
            list.append(next)
        }
        return list
    }
}
