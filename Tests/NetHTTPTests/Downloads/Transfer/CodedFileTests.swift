#if Server
import Foundation
import HTTPTypes
import NetCore
import NetCrypto
import NetTestServer
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport
@testable import NetHTTP

/// Files that a server sends with a content coding although none was asked for.
struct CodedFileTests {
    private static let text = Bytes(CodedSample.text.utf8)
    private static let gzip = CodedSample.gzip.bytes

    struct Case: Sendable, CustomTestStringConvertible {
        var path: String
        var type = "application/octet-stream"
        var coding = "gzip"
        var sent = gzip
        /// The name of the file; nil if it's that of the URL.
        var name: String?
        var kept: Bytes
        var testDescription: String { "\(path) \(type) \(coding)" }
    }

    private static let cases = [
        Case(path: "a.tar.gz", type: "application/x-tar", coding: "x-gzip", kept: gzip),
        Case(path: "a.tgz", kept: gzip), Case(path: "b.svgz", type: "image/svg+xml", kept: gzip),
        Case(path: "c.crate", kept: gzip), Case(path: "d", type: "application/gzip", name: "d.gz", kept: gzip),
        Case(path: "e.bin", type: "application/x-gzip", kept: gzip),
        Case(path: "f.tar.bz2", coding: "x-bzip2", sent: text, kept: text),
        Case(path: "page.html", type: "text/html", kept: text),
        Case(path: "data.json", type: "application/json", kept: text),
        Case(path: "a.tar", type: "application/x-tar", kept: text),
        // Compressed twice: the file is one of them.
        Case(path: "twice.gz", sent: twice, kept: gzip),
        // The label is wrong.
        Case(path: "plain.txt", type: "text/plain", sent: text, kept: text),
        Case(path: "x.txt", type: "text/plain", coding: "utf-8", sent: text, kept: text),
        Case(path: "y.txt", type: "text/plain", coding: "aws-chunked", sent: text, kept: text),
        // Nobody here can decode it.
        Case(path: "z.txt", type: "text/plain", coding: "compress", sent: text, name: "z.txt.Z", kept: text),
        Case(path: "w.txt", type: "text/plain", coding: "lzma", sent: text, name: "w.txt.lzma", kept: text),
        Case(path: "empty.txt", type: "text/plain", sent: Bytes(), kept: Bytes()),
    ]

    private static let twice: Bytes = {
        // A member of stored blocks, with the CRC of its content.
        var bytes: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1]
        let count = UInt16(gzip.count)
        bytes += [UInt8(count & 0xff), UInt8(count >> 8), UInt8(~count & 0xff), UInt8(~count >> 8)]
        bytes += gzip
        var crc: UInt32 = 0xffff_ffff
        for byte in gzip {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
        }
        for value in [~crc, UInt32(gzip.count)] {
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
        }
        return Bytes(bytes)
    }()

    private func with(
        _ stubs: [Stub], _ body: (DownloadBench, Fixture) async throws -> Void
    ) async throws {
        try await DownloadBench.with { bench in
            try await Fixture.run(stubs) { fixture in try await body(bench, fixture) }
        }
    }

    @Test(arguments: cases) func theFileIsInTheFormThatItsNameSays(_ each: Case) async throws {
        let response = StubResponse.bytes(each.sent, contentType: each.type).header(.contentEncoding, each.coding)
        try await with([Stub(.get, PathTemplate("/\(each.path)"), response)]) { bench, fixture in
            let file = try await bench.load(
                DownloadRequest("\(fixture.server.baseURL)/\(each.path)"), fixture.client)
            #expect(file.name == each.name ?? each.path)
            #expect(try bench.bytes(file) == each.kept)
            #expect(file.bytes == Int64(each.kept.count))
            #expect(try bench.parts == [])
        }
    }

    @Test func theFormWithTheChecksumIsKept() async throws {
        let (text, gzip) = (Self.text, Self.gzip)
        for (path, wanted) in [("a.json", gzip), ("a.tar.gz", text), ("a.json", text), ("a.tar.gz", gzip)] {
            let digest = try #require(RunningHash.digest(of: wanted, .sha256))
            for isAnnounced in [false, true] {
                var response = StubResponse.bytes(gzip).header(.contentEncoding, "gzip")
                if isAnnounced {
                    response = response.header(.reprDigest, "sha-256=:\(digest.data.base64EncodedString()):")
                }
                try await with([Stub(.get, PathTemplate("/\(path)"), response)]) { bench, fixture in
                    var request = DownloadRequest("\(fixture.server.baseURL)/\(path)")
                    if !isAnnounced { request.checksum = .sha256(digest.hexadecimal) }
                    let file = try await bench.load(request, fixture.client)
                    #expect(try bench.bytes(file) == wanted)
                    #expect(file.name == path)
                }
            }
        }
        let response = StubResponse.bytes(gzip).header(.contentEncoding, "gzip")
        try await with([Stub(.get, "/a.json", response)]) { bench, fixture in
            var request = DownloadRequest("\(fixture.server.baseURL)/a.json")
            request.checksum = .sha256(String(repeating: "ab", count: 32))
            let error = await #expect(throws: DownloadError.self) { try await bench.load(request, fixture.client) }
            #expect(error?.code == .checksumMismatch)
            #expect(error?.message.contains("gzip is decoded") == true)
            let names = try bench.names
            #expect(names == [])
        }
    }

    @Test func bytesThatAreKeptAreContinuedAndDivided() async throws {
        let bytes = Bytes([0x1f, 0x8b]) + BytePattern.bytes(from: 7, count: 3_000_000)
        let response = StubResponse.bytes(bytes).header(.eTag, "\"1\"").header(.contentEncoding, "x-gzip")
        try await with([Stub(.get, "/a.tar.gz", response).servingRanges()]) { bench, fixture in
            for ranges in [1, 4] {
                var request = DownloadRequest("\(fixture.server.baseURL)/a.tar.gz", fileName: "\(ranges).tar.gz")
                request.ranges = ranges
                let job = try bench.job(request)
                let error = await bench.pause(job, at: 500_000, fixture.client) { $0.bytesPerSecond = 8_000_000 }
                #expect(error?.code == .cancelled)
                let file = try await bench.run(job, fixture.client)
                #expect(try bench.bytes(file) == bytes)
            }
            #expect(fixture.server.journal.requests.contains { $0.headers[.ifRange] == "\"1\"" })
        }
    }

    @Test func aFileThatCannotBeDecodedIsAnError() async throws {
        let damaged = Self.gzip[0..<(Self.gzip.count - 6)]
        let response = StubResponse.bytes(damaged, contentType: "text/plain").header(.contentEncoding, "gzip")
        try await with([Stub(.get, "/a.txt", response)]) { bench, fixture in
            let request = DownloadRequest("\(fixture.server.baseURL)/a.txt")
            let error = await #expect(throws: DownloadError.self) { try await bench.load(request, fixture.client) }
            #expect(error?.code == .network)
            #expect(error?.message.contains("can't be decoded") == true)
            let names = try bench.names
            #expect(names == [])
        }
    }

    @Test func aDecodedFileSurvivesTheEndBeforeItsJournalIsRemoved() throws {
        var slot = JournalSlot(
            id: UUID(), sequence: 3, bootID: "boot", version: DownloadVersion(length: 9, coding: "gzip"))
        slot.version?.isPacked = true
        slot.finishing = .init(folder: "sub", name: "a.txt", number: 7, length: 40)
        let record = try #require(slot.encoded())
        #expect(JournalSlot(record: record) == slot)
        slot.version?.coding = nil
        slot.version?.isPacked = false
        slot.finishing?.length = nil
        let plain = try #require(slot.encoded())
        #expect(JournalSlot(record: plain) == slot)
    }
}
#endif
