import Foundation
import NetCore
import NetTesting
import Synchronization
import Testing

@testable import NetHTTP

/// A process that ends around the move of a complete file: the file is found, exactly once.
@Suite(.timeLimit(.minutes(1))) struct FinishedFileTests {
    /// Receives a file, and ends the process at the given call of finishing it. Returns the calls.
    private func finish(on disk: SimulatedDisk, endingAt call: Int?) throws -> [SimulatedDisk.Kind] {
        let folder = try DownloadFolder.open("/simulated", disk: disk)
        if try folder.restore().isEmpty { try folder.create(SimulatedDownload.identity) }
        let part = try folder.part(SimulatedDownload.id, clock: TestClock().netClock)
        try part.begin(DownloadVersion(length: 5))
        try part.write(Bytes("right".utf8), at: 0)
        let before = disk.calls
        if let call { disk.fail(call: call, .end) }
        _ = try? part.finish(named: "a")
        folder.close()
        disk.endProcess()
        return Array(disk.kinds[before...])
    }

    @Test func aCompleteFileIsFoundAfterTheEndOfTheProcess() throws {
        let whole = SimulatedDisk()
        whole.put(Array("older".utf8), as: "a")
        let kinds = try finish(on: whole, endingAt: nil)
        let move = try #require(kinds.firstIndex(of: .move))
        // A name that is taken, and the one with a number; then the journal file is kept for another task.
        #expect(Array(kinds[(move - 1)...]) == [.write, .move, .write, .move, .flush, .move, .setLength, .remove])
        for call in 1...kinds.count {
            let disk = SimulatedDisk()
            disk.put(Array("older".utf8), as: "a")
            _ = try finish(on: disk, endingAt: call)
            let folder = try DownloadFolder.open("/simulated", disk: disk)
            let found = try folder.restore()
            let isPlaced = disk.contents("a (1)") != nil
            #expect(disk.contents("a") == Array("older".utf8))
            if isPlaced {
                // Either the file is reported as complete, or the journal is already gone.
                #expect(found.isEmpty || found.map(\.finished) == ["/simulated/a (1)"], "call \(call)")
                #expect(disk.names(in: ".downloads").filter { $0 != "files" } == ["lock"], "call \(call)")
                #expect(try folder.restore().isEmpty)
            } else {
                try #require(found.count == 1, "call \(call)")
                #expect(found[0].finished == nil, "call \(call)")
                let part = try folder.part(SimulatedDownload.id, clock: TestClock().netClock)
                if part.received.isEmpty {
                    try part.begin(DownloadVersion(length: 5))
                    try part.write(Bytes("right".utf8), at: 0)
                }
                #expect(try part.finish(named: "a") == "/simulated/a (1)")
            }
            #expect(disk.contents("a (1)") == Array("right".utf8), "call \(call)")
            #expect(disk.contents("a (2)") == nil, "call \(call)")
        }
    }

    @Test func anotherFileOfThatNameIsNotTakenForTheDownload() throws {
        let kinds = try finish(on: SimulatedDisk(), endingAt: nil)
        let move = try #require(kinds.firstIndex(of: .move))
        // The journal contains a path, the move didn't happen, and another program created a file there.
        let disk = SimulatedDisk()
        _ = try finish(on: disk, endingAt: move)
        #expect(disk.contents("a") == nil)
        disk.put(Array("wrong".utf8), as: "a")
        let found = try DownloadFolder.open("/simulated", disk: disk).restore()
        #expect(found.count == 1)
        #expect(found.first?.finished == nil)
    }

    @Test func aFileThatWasNotFlushedIsNotTrustedAfterTheLossOfPower() throws {
        // Up to the end of the journal; then every name reaches the disk, but no byte of the file.
        let other = SimulatedDisk()
        let again = try DownloadFolder.open("/simulated", disk: other)
        try again.create(SimulatedDownload.identity)
        let lost = try again.part(SimulatedDownload.id, clock: TestClock().netClock)
        try lost.begin(DownloadVersion(length: 5))
        try lost.write(Bytes("right".utf8), at: 0)
        other.fail(call: 4, .failure(EIO))
        #expect(try lost.finish(named: "a", flushes: false) == "/simulated/a")
        other.endProcess()
        other.loseOnlyTheBytes(of: "a")
        let found = try DownloadFolder.open("/simulated", disk: other).restore()
        #expect(found.map(\.finished) == [nil])
        #expect(found.map(\.received) == [0])
    }
}

extension SimulatedDisk {
    /// Restarts the machine; of one file only its name and length had reached the disk, of all others everything.
    fileprivate func loseOnlyTheBytes(of name: String) {
        state.withLock { state in
            state.boot += 1
            for number in state.nodes.keys {
                guard var node = state.nodes[number] else { continue }
                if state.names[Place(folder: 1, name: name)] == number {
                    node.contents = [UInt8](repeating: 0, count: node.contents.count)
                }
                (node.durable, node.pending) = (node.contents, [])
                state.nodes[number] = node
            }
            state.durableNames = state.names
            state.renamings = []
        }
    }
}
