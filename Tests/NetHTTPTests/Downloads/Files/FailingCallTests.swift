import Foundation
import NetCore
import NetTesting
import Synchronization
import Testing

@testable import NetHTTP

/// The n-th call fails, for every n: the error is typed, and the download continues once the disk is repaired.
@Suite(.timeLimit(.minutes(1))) struct FailingCallTests {
    private let file = SimulatedFile(version: 0, length: 20_000)
    private let other = SimulatedFile(version: 1, length: 9_000)

    /// Runs a download with all features: an older file, notes, flushes, a restart, a number in its name.
    private func download(_ disk: SimulatedDisk) throws(DownloadError) -> String {
        let folder = try DownloadFolder.open("/simulated", disk: disk)
        defer { folder.close() }
        let found = try folder.restore()
        if let path = found.first?.finished { return path }
        if found.isEmpty { try folder.create(SimulatedDownload.identity) }
        try folder.change(SimulatedDownload.identity)
        let part = try folder.part(
            SimulatedDownload.id, limits: SimulatedDownload.limits, clock: TestClock().netClock)
        if part.version == nil {
            try part.begin(DownloadVersion(validators: other.validators, length: 9_000))
            try receive(other, part)
            try part.flush()
        }
        if part.version?.validators != file.validators {
            try part.begin(DownloadVersion(validators: file.validators, length: 20_000))
        }
        try receive(file, part)
        return try part.finish(named: SimulatedDownload.name, in: "sub", modified: Date(timeIntervalSince1970: 7))
    }

    private func receive(_ file: SimulatedFile, _ part: PartFile) throws(DownloadError) {
        for gap in part.received.gaps(upTo: Int64(file.bytes.count)) {
            var start = gap.lowerBound
            while start < gap.upperBound {
                let end = min(start + 1_500, gap.upperBound)
                try part.write(file.bytes[Int(start)..<Int(end)], at: start)
                start = end
            }
        }
    }

    private func codes(for number: CInt, _ kind: SimulatedDisk.Kind) -> [DownloadError.Code] {
        switch number {
        case ENOSPC, EDQUOT: [.insufficientDiskSpace]
        default: [.fileSystem]
        }
    }

    @Test(arguments: [ENOSPC, EDQUOT, EIO, EROFS, EACCES])
    func everyCallMayFailOnce(number: CInt) throws {
        let whole = SimulatedDisk()
        _ = try download(whole)
        let kinds = whole.kinds
        try #require(kinds.count > 60)
        let placed = try #require(kinds.lastIndex(of: .flush)) + 1
        for call in 1...kinds.count {
            let disk = SimulatedDisk()
            disk.put(SimulatedDownload.older, as: SimulatedDownload.name)
            disk.fail(call: call, .failure(number))
            var path: String?
            do throws(DownloadError) {
                path = try download(disk)
                // The calls whose failure is harmless: setting the time of the file, and removing its journal.
                #expect(kinds[call - 1] == .other || call > placed, "call \(call), \(kinds[call - 1])")
            } catch {
                #expect(codes(for: number, kinds[call - 1]).contains(error.code), "call \(call): \(error)")
                #expect(error.systemError == number)
                #expect(!error.message.isEmpty)
            }
            disk.repair()
            disk.endProcess()
            let repaired = try path ?? download(disk)
            #expect(repaired == "/simulated/sub/\(SimulatedDownload.name)", "call \(call)")
            let contents = disk.contents(SimulatedDownload.name, in: "sub")
            #expect(contents.map { file.isEqual(to: $0) } == true, "call \(call)")
        }
    }

    @Test func aWriteThatTakesAPartOfTheBytesGoesOn() throws {
        let whole = SimulatedDisk()
        _ = try download(whole)
        for (index, kind) in whole.kinds.enumerated() where kind == .write {
            let disk = SimulatedDisk()
            disk.fail(call: index + 1, .shortWrite)
            _ = try download(disk)
            let contents = disk.contents(SimulatedDownload.name, in: "sub")
            #expect(contents.map { file.isEqual(to: $0) } == true, "call \(index + 1)")
        }
    }

    /// In one process: the part file that had the error is used again.
    @Test func thePartFileGoesOnAfterAnError() throws {
        let disk = SimulatedDisk()
        let folder = try DownloadFolder.open("/simulated", disk: disk)
        try folder.create(SimulatedDownload.identity)
        let part = try folder.part(
            SimulatedDownload.id, limits: SimulatedDownload.limits, clock: TestClock().netClock)
        try part.begin(DownloadVersion(validators: file.validators, length: 20_000))
        var errors = 0
        var path: String?
        for call in 1..<200 where path == nil {
            disk.fail(call: 1 + call % 7, .failure([EIO, ENOSPC][call % 2]))
            do throws(DownloadError) {
                try receive(file, part)
                path = try part.finish(named: SimulatedDownload.name)
            } catch {
                errors += 1
            }
        }
        #expect(path == "/simulated/file.bin")
        #expect(errors > 5)
        let contents = disk.contents(SimulatedDownload.name)
        #expect(contents.map { file.isEqual(to: $0) } == true)
    }

    @Test func aFullDiskTakesWhatFitsAndTheRestLater() throws {
        let disk = SimulatedDisk()
        let folder = try DownloadFolder.open("/simulated", disk: disk)
        try folder.create(SimulatedDownload.identity)
        let part = try folder.part(SimulatedDownload.id, clock: TestClock().netClock)
        try part.begin(DownloadVersion(validators: file.validators, length: 20_000))
        disk.state.withLock { $0.room = 5_000 }
        let error = #expect(throws: DownloadError.self) { try receive(file, part) }
        #expect(error?.code == .insufficientDiskSpace)
        #expect(part.received.prefixEnd == 5_000)
        disk.state.withLock { $0.room = .max }
        try receive(file, part)
        _ = try part.finish(named: SimulatedDownload.name)
        let contents = disk.contents(SimulatedDownload.name)
        #expect(contents.map { file.isEqual(to: $0) } == true)
    }

    @Test func bytesThatCouldNotBeFlushedDoNotCount() throws {
        let disk = SimulatedDisk()
        let folder = try DownloadFolder.open("/simulated", disk: disk)
        try folder.create(SimulatedDownload.identity)
        let part = try folder.part(SimulatedDownload.id, clock: TestClock().netClock)
        try part.begin(DownloadVersion(validators: file.validators, length: 20_000))
        try part.write(file.bytes[0..<4_000], at: 0)
        try part.flush()
        try part.write(file.bytes[4_000..<8_000], at: 4_000)
        disk.fail(call: 1, .failure(EIO))
        let error = #expect(throws: DownloadError.self) { try part.flush() }
        #expect(error?.code == .fileSystem)
        #expect(error?.systemError == EIO)
        #expect(part.received.ranges == [0..<4_000])
        disk.endProcess()
        let again = try DownloadFolder.open("/simulated", disk: disk).restore()
        #expect(again.first?.received == 4_000)
    }
}
