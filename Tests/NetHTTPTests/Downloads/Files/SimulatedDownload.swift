import Foundation
import NetCore
import NetTesting

@testable import NetHTTP

/// A file on a server that has two versions and can be unavailable.
struct SimulatedFile: Sendable {
    let validators: DownloadValidators
    let bytes: Bytes

    /// The bytes of both versions differ everywhere, and differ from the garbage on the disk.
    private static let contents: [Bytes] = (0..<2).map { version in
        var random = SmallRandom(seed: UInt64(version))
        return Bytes((0..<(64 << 10)).map { _ in UInt8(random.below(100) + 110 * version + 1) })
    }

    /// Compares in one block, because a debug build is slow for single bytes.
    func isEqual(to contents: [UInt8]) -> Bool {
        guard bytes.count == contents.count, !contents.isEmpty else { return bytes.count == contents.count }
        return bytes.withUnsafeBytes { own in
            contents.withUnsafeBytes { memcmp(own.baseAddress!, $0.baseAddress!, own.count) == 0 }
        }
    }

    init(version: Int, length: Int) {
        validators = DownloadValidators(eTag: "\"\(version)\"")
        bytes = Self.contents[version][0..<length]
    }
}

/// A download on a disk that fails, in steps of one process each.
struct SimulatedDownload {
    static let name = "file.bin"
    static let id = UUID()
    static let folder = "/simulated"
    static let limits = PartLimits(noteBytes: 2_000, flushBytes: 6_000)
    static let identity = DownloadIdentity(
        id: id, url: "https://example.com/file.bin", createdAt: Date(timeIntervalSince1970: 0))

    let disk = SimulatedDisk()
    let clock = TestClock().netClock
    var random: SmallRandom
    let files: [SimulatedFile]
    var current = 0
    var placing = FilePlacing.number
    /// The written bytes of the current version, as far as the process knew.
    private(set) var written = ByteRanges()
    /// The maximum number of bytes per write.
    static let maximumChunk = 4_000

    init(seed: Int) {
        random = SmallRandom(seed: UInt64(seed))
        let lengths = [random.below(20_000), random.below(20_000)]
        files = [SimulatedFile(version: 0, length: lengths[0]), SimulatedFile(version: 1, length: lengths[1])]
        placing = random.chance(50) ? .number : .replace
    }

    /// Runs one process: opens the folder, and continues the download to its end. Returns the path of the file; throws
    /// the error that stops it. Bytes recorded in the journal aren't requested again.
    mutating func run() throws(DownloadError) -> String {
        written = ByteRanges()
        let folder = try DownloadFolder.open(Self.folder, disk: disk)
        defer { folder.close() }
        let found = try folder.restore()
        if let path = found.first?.finished { return path }
        if found.isEmpty { try folder.create(Self.identity) }
        let part = try folder.part(Self.id, limits: Self.limits, clock: clock)
        written = part.received
        if random.chance(20) { current = 1 - current }
        try receive(part)
        if random.chance(10) {
            current = 1 - current
            try receive(part)
        }
        if random.chance(10) { try folder.change(Self.identity) }
        return try part.finish(named: Self.name, placing: placing)
    }

    /// Receives the missing part of the current version, like two connections.
    private mutating func receive(_ part: PartFile) throws(DownloadError) {
        let file = files[current]
        if part.version?.validators != file.validators {
            written = ByteRanges()
            try part.begin(
                DownloadVersion(validators: file.validators, length: Int64(file.bytes.count)))
        }
        var gaps = part.received.gaps(upTo: Int64(file.bytes.count))
        if gaps.count == 1, gaps[0].count > 100 {
            let middle = gaps[0].lowerBound + Int64(gaps[0].count / 2)
            gaps = [gaps[0].lowerBound..<middle, middle..<gaps[0].upperBound]
        }
        let stop = random.chance(30) ? random.below(20) : .max
        var count = 0
        while !gaps.isEmpty {
            let place = random.below(gaps.count)
            let gap = gaps[place]
            let end = min(gap.upperBound, gap.lowerBound + 1 + Int64(random.below(Self.maximumChunk)))
            try part.write(file.bytes[Int(gap.lowerBound)..<Int(end)], at: gap.lowerBound)
            written.insert(gap.lowerBound..<end)
            if end == gap.upperBound { gaps.remove(at: place) } else { gaps[place] = end..<gap.upperBound }
            if random.chance(5) { try part.note() }
            if random.chance(5) { try part.flush() }
            count += 1
            // The rest is received in another process.
            if count == stop { throw DownloadError(.cancelled, message: "paused") }
        }
    }

    /// Returns the names of files in the folder that aren't complete.
    func wrongFiles() -> [String] {
        disk.names(in: "").filter { name in
            guard let contents = disk.contents(name), contents != Self.older else { return false }
            return !files.contains { $0.isEqual(to: contents) }
        }
    }

    /// The contents of an older file.
    static let older: [UInt8] = Array("older".utf8)
}
