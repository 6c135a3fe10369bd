import Foundation
import HTTPTypes
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport
@testable import NetHTTP

/// Uploads that are interrupted by servers, connections or the end of the program.
@Suite(.timeLimit(.minutes(2))) struct UploadFailureTests {
    @Test(arguments: [0, 1, 65_535, 65_536, 1_000_000, 2_999_999, 3_000_000])
    func aConnectionThatIsCutCostsOnlyWhatTheServerHasNot(after count: Int) async throws {
        for speech in [UploadPeer.Speech.tus(), .draft()] {
            try await UploadBench.with(speech) { bench in
                bench.on("PATCH", .cut(after: count))
                try await bench.upload()
                #expect(bench.server.only?.bytes == bench.content)
                #expect(bench.server.receivedBytes == bench.content.count)
            }
        }
    }

    /// Makes the server pause when it has that many bytes, before it cuts the connection there: a client whose next
    /// write meets the reset doesn't read an interim response that has already arrived.
    private func lingerAfter(_ bytes: Int, on server: UploadPeer) {
        server.arrived.change {
            $0 = { count in
                guard count == bytes else { return }
                usleep(300_000)
            }
        }
    }

    @Test func manyInterruptionsAreSurvivedAsLongAsThereIsProgress() async throws {
        try await UploadBench.with(.tus()) { bench in
            bench.server.fate.change {
                $0 = { $0.method == "PATCH" && $0.length > 100_000 ? .cut(after: 100_000) : .served }
            }
            try await bench.upload()
            bench.expectArrived()
            #expect(bench.server.receivedBytes == bench.content.count)
            #expect(bench.server.methods.filter { $0 == "PATCH" }.count == 30)
        }
    }

    /// Also while the file is sent with the request that creates the upload, whose URL is in an interim response.
    @Test func aHundredCutsAtRandomBytesCostNothingTwice() async throws {
        let seeded = SeededRandom(seed: 104)
        for (speech, isAnnounced) in [(UploadPeer.Speech.tus(), true), (.draft(), true), (.draft(), false)] {
            try await UploadBench.with(speech) { bench in
                let random = Locked(NetRandom { seeded.next() })
                let cuts = Locked(0)
                if !isAnnounced { bench.on("OPTIONS", .status(405)) }
                let before = bench.server.fate.value
                bench.server.fate.change {
                    $0 = { visit in
                        guard visit.method == "PATCH" || visit.method == "POST", visit.length > 0, cuts.value < 100
                        else {
                            return before(visit)
                        }
                        cuts.change { $0 += 1 }
                        // At least one byte, because attempts without progress are limited.
                        let count = random.change { Int.random(in: 1...40_000, using: &$0) }
                        return .cut(after: visit.method == "POST" ? 300_000 : count)
                    }
                }
                if !isAnnounced { lingerAfter(300_000, on: bench.server) }
                try await bench.upload()
                bench.expectArrived()
                #expect(cuts.value > 50, "\(cuts.value) cuts")
                #expect(bench.server.receivedBytes == bench.content.count, "\(cuts.value) cuts")
            }
        }
    }

    @Test func aServerThatNeverTakesAByteIsNotAskedForever() async throws {
        try await UploadBench.with(.tus()) { bench in
            bench.server.fate.change { $0 = { $0.method == "PATCH" ? .cut(after: 0) : .served } }
            let error = try await bench.failure()
            #expect(error.code == .retriesExhausted)
            #expect(error.message.contains("3 attempts"))
            #expect(try bench.journals.count == 1, "a later retry can go on")
        }
    }

    /// The response to OPTIONS doesn't announce support, so the file is sent as a whole, with the offer to resume.
    @Test func anOfferThatTheServerTakesWhileTheBodyIsSentIsContinued() async throws {
        for cut in [200_000, 2_900_000] {
            try await UploadBench.with(.draft()) { bench in
                bench.on("OPTIONS", .status(405))
                bench.on("POST", .cut(after: cut))
                lingerAfter(cut, on: bench.server)
                let file = try await bench.upload()
                bench.expectArrived()
                #expect(bench.server.methods == ["OPTIONS", "POST", "HEAD", "PATCH"])
                #expect(bench.server.receivedBytes == bench.content.count)
                #expect(file.uploadProtocol == .resumable)
            }
        }
    }

    @Test func aServerThatOffersNothingGetsAPlainUploadAgainOnlyByAMethodThatAllowsIt() async throws {
        try await UploadBench.with(.plain) { bench in
            bench.on("PUT", .cut(after: 1_000_000))
            try await bench.upload { $0.method = .put }
            bench.expectArrived()
            #expect(bench.server.methods == ["OPTIONS", "PUT", "PUT"])
        }
        try await UploadBench.with(.plain) { bench in
            bench.on("POST", .cut(after: 1_000_000))
            let error = try await bench.failure()
            #expect(error.code == .network)
            #expect(bench.server.methods == ["OPTIONS", "POST"])
        }
    }

    @Test func aLostLastResponseIsMadeUpForByTheOffset() async throws {
        for speech in [UploadPeer.Speech.tus(), .draft()] {
            try await UploadBench.with(speech) { bench in
                bench.on("PATCH", .unanswered)
                let file = try await bench.upload()
                bench.expectArrived()
                #expect(file.response == nil)
                #expect(file.location?.hasSuffix("/files/upload-2") == true)
                #expect(bench.server.receivedBytes == bench.content.count)
            }
        }
    }

    @Test(arguments: [404, 410]) func anUploadThatTheServerHasForgottenStartsAnew(status: Int) async throws {
        try await UploadBench.with(.tus()) { bench in
            bench.on("PATCH", .cut(after: 1_000_000))
            bench.on("HEAD", .status(status))
            try await bench.upload()
            bench.expectArrived()
            #expect(bench.server.methods == ["OPTIONS", "POST", "PATCH", "HEAD", "OPTIONS", "POST", "PATCH"])
        }
        try await UploadBench.with(.draft()) { bench in
            bench.on("PATCH", .status(status))
            try await bench.upload()
            bench.expectArrived()
        }
    }

    @Test func aServerThatForgetsEachUploadIsGivenUp() async throws {
        try await UploadBench.with(.tus()) { bench in
            bench.server.fate.change { $0 = { $0.method == "PATCH" ? .status(404) : .served } }
            let error = try await bench.failure()
            #expect(error.code == .changed)
            #expect(error.message.contains("no longer knows"))
        }
    }

    @Test func anUploadThatIsLockedIsWaitedForAndForgetsNothing() async throws {
        for speech in [UploadPeer.Speech.tus(), .draft()] {
            try await UploadBench.with(speech) { bench in
                bench.on("PATCH", .cut(after: 1_000_000))
                for number in 1...10 { bench.on("HEAD", .status(423), number: number) }
                try await bench.upload()
                bench.expectArrived()
                #expect(bench.server.receivedBytes == bench.content.count)
                #expect(bench.server.methods.filter { $0 == "HEAD" }.count == 11)
            }
        }
    }

    @Test func aConflictAsksForTheOffset() async throws {
        for speech in [UploadPeer.Speech.tus(), .draft()] {
            try await UploadBench.with(speech) { bench in
                bench.on("PATCH", .status(409))
                try await bench.upload()
                bench.expectArrived()
                #expect(bench.server.methods == ["OPTIONS", "POST", "PATCH", "HEAD", "PATCH"])
            }
            try await UploadBench.with(speech) { bench in
                bench.server.fate.change { $0 = { $0.method == "PATCH" ? .status(409) : .served } }
                let error = try await bench.failure()
                #expect(error.code == .rejected)
                #expect(error.status == 409)
            }
        }
    }

    @Test(arguments: [413, 507, 403]) func aServerThatRefusesEndsTheUpload(status: Int) async throws {
        try await UploadBench.with(.tus()) { bench in
            bench.on("POST", .status(status))
            let error = try await bench.failure()
            #expect(error.code == .rejected)
            #expect(error.status == status)
            #expect(bench.server.methods == ["OPTIONS", "POST"])
        }
        try await UploadBench.with(.tus(), bytes: 1_000_000) { bench in
            bench.on("PATCH", .status(status))
            let error = try await bench.failure()
            #expect(error.code == .rejected)
            #expect(error.status == status)
        }
    }

    @Test func requestsBecomeSmallerAfterA413() async throws {
        try await UploadBench.with(.tus()) { bench in
            bench.server.fate.change { $0 = { $0.method == "PATCH" && $0.length > 1 << 20 ? .status(413) : .served } }
            try await bench.upload()
            bench.expectArrived()
            let sizes = bench.server.visits.value.filter { $0.method == "PATCH" }.map(\.length)
            #expect(sizes == [3_000_000, 1 << 20, 1 << 20, 3_000_000 - (2 << 20)])
        }
        try await UploadBench.with(.draft()) { bench in
            bench.on("PATCH", .status(413, ["Upload-Limit": "max-append-size=2000000"]))
            try await bench.upload()
            bench.expectArrived()
            #expect(
                bench.server.visits.value.filter { $0.method == "PATCH" }.map(\.length) == [
                    3_000_000, 2_000_000, 1_000_000,
                ])
        }
    }

    @Test func aFileThatChangesWhileItIsSentNeverArrivesInHalves() async throws {
        for speech in [UploadPeer.Speech.tus(), .draft()] {
            try await UploadBench.with(speech) { bench in
                let other = UploadBench.content(7, 2_500_000)
                let isChanged = Locked(false)
                bench.server.arrived.change {
                    $0 = { count in
                        guard count > 500_000,
                            !isChanged.change({ changed in
                                defer { changed = true }
                                return changed
                            })
                        else { return }
                        // Written into the same file, like most programs do.
                        let handle = FileHandle(forWritingAtPath: bench.file)
                        try? handle?.truncate(atOffset: 0)
                        try? handle?.write(contentsOf: other)
                        try? handle?.close()
                    }
                }
                // Slow, so that the end isn't read before the change.
                try await bench.manager {
                    $0.bytesPerSecond = 2_000_000
                } _: { manager in
                    _ = try await manager.uploadedFile(of: try await manager.enqueue(bench.request()))
                }
                #expect(bench.server.only?.bytes == other, "the old part was deleted, and the new file is whole")
                #expect(bench.server.methods.contains("DELETE"))
            }
        }
    }

    @Test func credentialsGoOnlyToTheOriginOfTheURL() async throws {
        try await UploadBench.with(.tus()) { bench in
            let other = try UploadPeer(.tus())
            defer { other.stop() }
            other.uploads.change { $0["/moved"] = UploadPeer.Upload(length: 3_000_000) }
            bench.on(
                "POST", .status(201, ["Location": "http://127.0.0.1:\(other.port)/moved", "Tus-Resumable": "1.0.0"]))
            try await bench.upload { $0.headers[.authorization] = "Bearer geheim" }
            #expect(other.uploads.value["/moved"]?.bytes == bench.content)
            #expect(bench.server.visits.value.allSatisfy { $0.headers["authorization"] == "Bearer geheim" })
            #expect(other.visits.value.allSatisfy { $0.headers["authorization"] == nil })
            #expect(!other.visits.value.isEmpty)
        }
    }
}
