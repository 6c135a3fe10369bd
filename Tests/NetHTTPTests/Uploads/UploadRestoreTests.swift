import Foundation
import HTTPTypes
import NetCore
import TestSupport
import Testing

@testable import ClientTestSupport
@testable import NetHTTP

/// Uploads that are paused, cancelled, and continued by another manager.
@Suite(.timeLimit(.minutes(2))) struct UploadRestoreTests {
    /// Starts an upload that stalls because the server accepts only some of the bytes, and shuts its manager down.
    private func interrupted(_ bench: UploadBench, _ change: (inout UploadRequest) -> Void = { _ in }) async throws {
        bench.on("PATCH", .cut(after: 1_000_000))
        try await bench.manager {
            $0.retry = RetryPolicy(backoff: .constant(.seconds(60)))
        } _: { manager in
            let id = try await manager.enqueue(bench.request(change))
            for await state in manager.states(of: id) where state == .waiting { break }
        }
        #expect(try bench.journals.count == 1)
    }

    @Test func anotherManagerGoesOnWhereTheServerIs() async throws {
        for speech in [UploadPeer.Speech.tus(), .draft()] {
            try await UploadBench.with(speech) { bench in
                try await interrupted(bench)
                try await bench.manager { manager in
                    let found = try await manager.restore()
                    #expect(found.map(\.kind) == [.upload])
                    #expect(found.first?.total == 3_000_000)
                    let file = try await manager.uploadedFile(of: try #require(found.first?.id))
                    #expect(file.bytes == 3_000_000)
                }
                bench.expectArrived()
                #expect(bench.server.receivedBytes == bench.content.count)
                #expect(bench.server.methods.filter { $0 == "POST" }.count == 1)
            }
        }
    }

    @Test func headersOfTheRequestAreNotInTheJournal() async throws {
        try await UploadBench.with(.tus()) { bench in
            try await interrupted(bench) { $0.headers[.authorization] = "Bearer geheim" }
            let journal = try Data(
                contentsOf: URL(fileURLWithPath: bench.folder.path("state/.downloads/\(bench.journals[0])")))
            #expect(journal.range(of: Data("film.mp4".utf8)) != nil)
            #expect(journal.range(of: Data("geheim".utf8)) == nil)
        }
    }

    @Test func aFileThatWasChangedMeanwhileStartsOver() async throws {
        let changes: [@Sendable (UploadBench) throws -> [UInt8]] = [
            { bench in
                let other = UploadBench.content(5, 3_000_000)
                try bench.write(other)
                return other
            },
            // The same bytes in another file with the same name.
            { bench in
                let path = bench.folder.path("copy")
                try Data(bench.content).write(to: URL(fileURLWithPath: path))
                try FileManager.default.removeItem(atPath: bench.file)
                try FileManager.default.moveItem(atPath: path, toPath: bench.file)
                return bench.content
            },
            { bench in
                let shorter = Array(bench.content.dropLast())
                try bench.write(shorter)
                return shorter
            },
        ]
        for change in changes {
            try await UploadBench.with(.tus()) { bench in
                try await interrupted(bench)
                let content = try change(bench)
                try await bench.manager { manager in
                    let found = try await manager.restore()
                    _ = try await manager.uploadedFile(of: try #require(found.first?.id))
                }
                #expect(bench.server.only?.bytes == content)
                #expect(bench.server.methods.contains("DELETE"))
            }
        }
    }

    @Test func aFileThatIsGoneFailsAndCanBeRetriedOnceItIsBack() async throws {
        try await UploadBench.with(.tus()) { bench in
            try await interrupted(bench)
            try FileManager.default.moveItem(atPath: bench.file, toPath: bench.folder.path("away"))
            try await bench.manager { manager in
                let id = try #require(try await manager.restore().first?.id)
                await #expect { try await manager.uploadedFile(of: id) } throws: {
                    ($0 as? DownloadError)?.code == .fileSystem
                }
                try FileManager.default.moveItem(atPath: bench.folder.path("away"), toPath: bench.file)
                try await manager.retry(id)
                _ = try await manager.uploadedFile(of: id)
            }
            bench.expectArrived()
            #expect(bench.server.receivedBytes == bench.content.count)
        }
    }

    @Test func aPauseKeepsWhatTheServerHas() async throws {
        try await UploadBench.with(.tus()) { bench in
            try await bench.manager {
                $0.bytesPerSecond = 1_000_000
            } _: { manager in
                let id = try await manager.enqueue(bench.request())
                for try await progress in manager.progress(of: id) where progress.bytes > 0 { break }
                try await manager.pause(id)
                #expect(manager.task(id)?.state == .paused)
                try await manager.resume(id)
                _ = try await manager.uploadedFile(of: id)
            }
            bench.expectArrived()
            #expect(bench.server.methods.filter { $0 == "POST" }.count == 1)
            #expect(bench.server.methods.contains("HEAD"))
        }
    }

    @Test func aCancelledUploadIsDeletedAtTheServer() async throws {
        for speech in [UploadPeer.Speech.tus(), .draft()] {
            try await UploadBench.with(speech) { bench in
                try await bench.manager {
                    $0.bytesPerSecond = 2_000_000
                } _: { manager in
                    let id = try await manager.enqueue(bench.request())
                    for try await progress in manager.progress(of: id) where progress.bytes > 0 { break }
                    try await manager.cancel(id)
                    #expect(manager.task(id) == nil)
                }
                #expect(bench.server.uploads.value.isEmpty)
                #expect(bench.server.methods.last == "DELETE")
                #expect(try bench.journals.isEmpty)
            }
        }
        try await UploadBench.with(.tus(extensions: "creation")) { bench in
            try await interrupted(bench)
            try await bench.manager {
                $0.retry = RetryPolicy(backoff: .constant(.seconds(60)))
            } _: { manager in
                let id = try #require(try await manager.restore().first?.id)
                try await manager.cancel(id)
            }
            #expect(!bench.server.methods.contains("DELETE"), "the server can't")
        }
    }

    @Test func theSpeedOfUploadsIsLimited() async throws {
        try await UploadBench.with(.tus(), bytes: 1_000_000) { bench in
            let start = ContinuousClock.now
            try await bench.manager {
                $0.bytesPerSecond = 2_000_000
            } _: { manager in
                _ = try await manager.uploadedFile(of: try await manager.enqueue(bench.request()))
            }
            // The bytes of a twentieth of a second aren't delayed, and neither is the end after the last piece.
            #expect(ContinuousClock.now - start > .milliseconds(300))
        }
    }
}
