import Foundation
import NetCore
import NetTesting
import Synchronization
import TestSupport
import Testing

@testable import NetHTTP

/// The times at which bytes are noted and flushed, and the bytes that count afterward.
@Suite(.timeLimit(.minutes(1))) struct PartFileTests {
    private let clock = TestClock()
    private let disk = SimulatedDisk()
    private let folder: DownloadFolder
    private let version = DownloadVersion(validators: DownloadValidators(eTag: "\"a\""), length: 200 << 20)

    init() throws {
        folder = try DownloadFolder.open("/simulated", disk: disk)
        try folder.create(SimulatedDownload.identity)
    }

    private func part() throws -> PartFile { try folder.part(SimulatedDownload.id, clock: clock.netClock) }

    /// Returns the number of bytes that count after the end of the process.
    private func noted() throws -> Int64 { try folder.restore().first?.received ?? -1 }

    private func bytes(_ count: Int) -> Bytes { Bytes(storage: ByteStorage(capacity: count), count: count) }

    private func count(_ kind: SimulatedDisk.Kind, _ body: () throws -> Void) rethrows -> Int {
        let before = disk.calls
        try body()
        return disk.kinds[before...].count { $0 == kind }
    }

    @Test func atMostAMebibyteIsNotNotedOfAllRangesTogether() throws {
        let part = try part()
        try part.begin(version)
        var written: Int64 = 0
        for step in 0..<60 {
            let chunk = 40_000 + 1_000 * (step % 7)
            try part.write(bytes(chunk), at: Int64(step % 4) * (50 << 20) + Int64(step / 4) * 50_000)
            written += Int64(chunk)
            #expect(try written - noted() <= 1 << 20)
        }
        #expect(try noted() > 0)
        #expect(try noted() < written)
        try part.note()
        #expect(try noted() == written)
        #expect(try count(.write) { try part.note() } == 0)
    }

    @Test func writesAreFlushedEach64MebibytesOr5Seconds() async throws {
        let part = try part()
        try part.begin(version)
        let chunk = bytes(8 << 20)
        let flushes = try count(.flush) {
            for step in 0..<8 { try part.write(chunk, at: Int64(step) * (8 << 20)) }
        }
        // The file, its names, the journal.
        #expect(flushes == 3)
        #expect(try count(.flush) { try part.write(chunk, at: 64 << 20) } == 0)
        await clock.advance(by: .seconds(4))
        #expect(try count(.flush) { try part.write(bytes(1), at: 72 << 20) } == 0)
        await clock.advance(by: .seconds(1))
        #expect(try count(.flush) { try part.write(bytes(1), at: (72 << 20) + 1) } == 2)
        #expect(try count(.flush) { try part.flush() } == 0)
    }

    @Test func afterTheLossOfPowerOnlyFlushedBytesCount() throws {
        let part = try part()
        try part.begin(version)
        try part.write(bytes(1000), at: 0)
        try part.flush()
        try part.write(bytes(500), at: 1000)
        try part.note()
        #expect(try noted() == 1500)
        // All bytes in the kernel's memory reached the disk, but that isn't known.
        for seed in 0..<20 {
            disk.losePower(SmallRandom(seed: UInt64(seed)))
            let folder = try DownloadFolder.open("/simulated", disk: disk)
            #expect(try folder.restore().first?.received == 1000)
        }
    }

    @Test func startingOverForgetsEveryByte() throws {
        let part = try part()
        try part.begin(version)
        try part.write(Bytes("older".utf8), at: 0)
        try part.flush()
        var next = version
        (next.validators.eTag, next.length) = ("\"b\"", 3)
        try part.begin(next)
        #expect(part.received.isEmpty)
        #expect(part.version == next)
        #expect(try folder.restore().first?.received == 0)
        try part.write(Bytes("new".utf8), at: 0)
        #expect(try part.read(0..<3) == Bytes("new".utf8))
        #expect(throws: DownloadError.self) { try part.read(0..<4) }
        _ = try part.finish(named: "a")
        #expect(disk.contents("a") == Array("new".utf8))
    }

    @Test func aFileIsFinishedOnlyWithAllOfItsBytes() throws {
        let part = try part()
        try part.begin(DownloadVersion(length: 10))
        try part.write(bytes(4), at: 0)
        try part.write(bytes(4), at: 6)
        let short = #expect(throws: DownloadError.self) { try part.finish(named: "a") }
        #expect(short?.code == .wrongLength)
        #expect(short?.message == "the file has 8 bytes, but should have 10 bytes")
        try part.write(bytes(7), at: 4)
        #expect(throws: DownloadError.self) { try part.finish(named: "a") }
        part.setLength(11)
        _ = try part.finish(named: "a")
        #expect(disk.contents("a")?.count == 11)
        #expect(throws: DownloadError.self) { try part.write(bytes(1), at: 0) }
        #expect(try folder.restore().isEmpty)
    }

    @Test func aFileOfUnknownLengthEndsWhereItsBytesDo() throws {
        let part = try part()
        try part.begin(DownloadVersion())
        try part.write(Bytes("abc".utf8), at: 0)
        _ = try part.finish(named: "a")
        #expect(disk.contents("a") == Array("abc".utf8))
    }

    /// Bytes that no longer count may be after the end of the file.
    @Test func aFileHasNoBytesBehindItsEnd() throws {
        let part = try part()
        try part.begin(DownloadVersion())
        try part.write(Bytes("abcdef".utf8), at: 0)
        // The bytes stay in the file, but don't count.
        disk.fail(call: 1, .lostFlush)
        #expect(throws: DownloadError.self) { try part.flush() }
        #expect(part.received.isEmpty)
        try part.write(Bytes("abc".utf8), at: 0)
        _ = try part.finish(named: "a")
        #expect(disk.contents("a") == Array("abc".utf8))
    }

    @Test func aTornSlotCostsNoMoreThanTheLastFlush() throws {
        let part = try part()
        try part.begin(version)
        for step in 1...4 {
            try part.write(bytes(1000), at: Int64(step - 1) * 1000)
            try part.flush()
            let number = try #require(disk.journalNumber)
            let whole = try #require(disk.state.withLock { $0.nodes[number]?.contents })
            for area in 2...3 where whole.count > (48 << 10) + area * (8 << 10) + 40 {
                disk.state.withLock { $0.nodes[number]?.contents[(48 << 10) + area * (8 << 10) + 40] ^= 1 }
                #expect(try [step * 1000, (step - 1) * 1000].contains(Int(noted())), "step \(step), area \(area)")
                disk.state.withLock { $0.nodes[number]?.contents = whole }
            }
        }
    }

    /// It isn't known whether a write that is in progress during a failed flush reached the disk.
    @Test func aWriteDuringAFailedFlushDoesNotCount() throws {
        let part = try part()
        try part.begin(version)
        try part.write(bytes(1000), at: 0)
        let error = Locked(DownloadError?.none)
        disk.hook.withLock {
            $0 = { [disk] in
                disk.fail(call: 1, .failure(EIO))
                do throws(DownloadError) {
                    try part.flush()
                } catch let failure {
                    error.change { $0 = failure }
                }
            }
        }
        #expect(throws: DownloadError.self) { try part.write(bytes(1000), at: 1000) }
        #expect(error.value?.systemError == EIO)
        #expect(part.received.isEmpty)
        try part.write(bytes(1000), at: 0)
        #expect(part.received.count == 1000)
    }

    @Test func anEmptyFileIsAFile() throws {
        let part = try part()
        try part.begin(DownloadVersion(length: 0))
        #expect(try part.finish(named: "a", flushes: false) == "/simulated/a")
        #expect(disk.contents("a") == [])
    }

    @Test func withoutFlushingNothingIsFlushed() throws {
        let part = try part()
        try part.begin(DownloadVersion(length: 3))
        let flushes = try count(.flush) {
            try part.write(bytes(3), at: 0)
            _ = try part.finish(named: "a", flushes: false)
        }
        #expect(flushes == 0)
    }

    @Test func aSmallFileIsFlushedWithItsFolderAndNothingElse() throws {
        let part = try part()
        try part.begin(DownloadVersion(length: 3))
        let flushes = try count(.flush) {
            try part.write(bytes(3), at: 0)
            _ = try part.finish(named: "a")
        }
        #expect(flushes == 2)
    }

    @Test func anIdentityChangesWhileThePartFileIsOpen() throws {
        let part = try part()
        try part.begin(version)
        try part.write(bytes(1000), at: 0)
        var identity = SimulatedDownload.identity
        identity.priority = 2
        try folder.change(identity)
        try part.note()
        let found = try folder.restore()
        #expect(found.first?.identity == identity)
        #expect(found.first?.received == 1000)
        #expect(found.first?.version == version)
    }

    @Test func aDiscardedDownloadLeavesNothing() throws {
        let part = try part()
        try part.begin(version)
        try part.write(bytes(1000), at: 0)
        try part.discard()
        #expect(disk.names(in: ".downloads") == ["lock"])
        #expect(throws: DownloadError.self) { try part.write(bytes(1), at: 0) }
        let error = #expect(throws: DownloadError.self) { try self.part() }
        #expect(error?.code == .taskNotFound)
    }

    @Test func manyThreadsWriteAtOnce() async throws {
        let part = try folder.part(
            SimulatedDownload.id, limits: PartLimits(noteBytes: 500, flushBytes: 3_000), clock: clock.netClock)
        let file = SimulatedFile(version: 0, length: 60_000)
        try part.begin(DownloadVersion(length: 60_000))
        try await withThrowingTaskGroup { group in
            for start in 0..<8 {
                group.addTask {
                    for place in stride(from: start * 100, to: 60_000, by: 800) {
                        try part.write(file.bytes[place..<(place + 100)], at: Int64(place))
                    }
                }
            }
            try await group.waitForAll()
        }
        _ = try part.finish(named: "a")
        #expect(disk.contents("a").map { file.isEqual(to: $0) } == true)
    }
}
