#if Tools && os(Linux)
import Foundation
import Glibc
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

/// net-get as an uploading program: killed and restarted, stopped, and rejected.
@Suite(.serialized, .timeLimit(.minutes(5))) struct UploadProgramTests {
    private static let content: [UInt8] = (0..<4_000_000).map {
        UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 8) ^ ($0 >> 16))
    }

    private func with(
        _ speech: UploadPeer.Speech, _ body: (UploadPeer, TemporaryFolder, [UInt8]) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let server = try UploadPeer(speech)
            defer { server.stop() }
            let content = Self.content
            try Data(content).write(to: folder.url.appending(path: "film.mp4"))
            try await body(server, folder, content)
        }
    }

    private func arguments(_ server: UploadPeer, _ folder: TemporaryFolder, _ more: String...) -> [String] {
        ["--state", folder.path("state"), "--upload", folder.path("film.mp4")] + more + [server.url]
    }

    @Test func anUploadThatIsKilledAgainAndAgainArrivesWhole() async throws {
        for speech in [UploadPeer.Speech.tus(), .draft()] {
            try await with(speech) { server, folder, content in
                let seeded = SeededRandom(seed: 38)
                var random = NetRandom { seeded.next() }
                var (kills, ends) = (0, 0)
                while kills < 20, ends < 20 {
                    let growth = Int64.random(in: 1...250_000, using: &random)
                    let begin = Locked<Int64?>(nil)
                    let run = try await NetGetRun.run(arguments(server, folder, "--limit-rate", "16m")) { event in
                        guard let bytes = event.bytes else { return false }
                        return begin.change { begin in
                            begin = begin ?? bytes
                            return bytes - (begin ?? 0) >= growth
                        }
                    }
                    guard run.exitCode == -1 else {
                        // It ended before it could be killed; the next one begins another upload.
                        #expect(run.exitCode == 0, "\(run.events.compactMap(\.message))")
                        ends += 1
                        continue
                    }
                    kills += 1
                }
                let last = try await NetGetRun.run(arguments(server, folder))
                #expect(last.exitCode == 0, "\(last.events.compactMap(\.message))")
                let complete = server.uploads.value.values.filter { $0.bytes == content }
                #expect(complete.count >= 1, "\(kills) kills")
                #expect(kills >= 10, "\(kills) kills")
                // The peer keeps every byte that it has read, so no upload has a byte twice. An upload that was killed
                // before its URL was known starts from the beginning.
                #expect(server.uploads.value.values.reduce(0) { $0 + $1.bytes.count } == server.receivedBytes)
            }
        }
    }

    @Test func aSignalPausesAndTheSameCommandGoesOn() async throws {
        try await with(.tus()) { server, folder, content in
            let run = try await NetGetRun.run(arguments(server, folder, "--limit-rate", "4m"), signal: SIGINT) {
                ($0.bytes ?? 0) > 1_000_000
            }
            #expect(run.exitCode == 130)
            #expect(run.events.last?.isInterrupted == true)
            let again = try await NetGetRun.run(arguments(server, folder))
            #expect(again.exitCode == 0)
            #expect(server.only?.bytes == content)
            #expect(server.receivedBytes == content.count)
        }
    }

    @Test func headersGoOnlyToTheServerThatIsNamed() async throws {
        try await with(.tus()) { server, folder, content in
            let other = try UploadPeer(.tus())
            defer { other.stop() }
            other.uploads.change { $0["/moved"] = UploadPeer.Upload(length: content.count) }
            server.fate.change {
                $0 = {
                    $0.method == "POST" ? .status(201, ["Location": "http://127.0.0.1:\(other.port)/moved"]) : .served
                }
            }
            let run = try await NetGetRun.run(arguments(server, folder, "--header", "X-Key: geheim"))
            #expect(run.exitCode == 0)
            #expect(other.uploads.value["/moved"]?.bytes == content)
            #expect(server.visits.value.allSatisfy { $0.headers["x-key"] == "geheim" })
            #expect(other.visits.value.allSatisfy { $0.headers["x-key"] == nil })
        }
    }

    @Test func uploadErrorsAreReported() async throws {
        try await with(.tus()) { server, folder, _ in
            func run(_ arguments: [String]) async throws -> NetGetOutput {
                try await NetGetOutput.run(["--state", "state"] + arguments, in: folder.url)
            }
            let missing = try await run(["--upload", "nothing", server.url])
            #expect(missing.exitCode == 2)
            #expect(missing.errors.contains("nothing"))
            #expect(missing.errors.contains("No such file"))
            let two = try await run(["--upload", "film.mp4", server.url, server.url])
            #expect(two.exitCode == 64)
            #expect(two.errors.contains("exactly one URL"))
            let mixed = try await run(["--upload", "film.mp4", "--output", "x", server.url])
            #expect(mixed.exitCode == 64)
            #expect(mixed.errors.contains("--output"))
            server.fate.change { $0 = { $0.method == "POST" ? .status(413) : .served } }
            let refused = try await run(["--upload", "film.mp4", server.url])
            #expect(refused.exitCode == 1)
            #expect(refused.lines.contains { $0.contains("413") && $0.contains("larger than the server accepts") })
            server.fate.change { $0 = { _ in .served } }
            let lines = try await run(["--upload", "film.mp4", server.url]).lines
            try #require(lines.count == 2, "\(lines)")
            #expect(lines[0] == "started    film.mp4", "\(lines)")
            #expect(lines[1].hasPrefix("completed  "), "\(lines)")
        }
    }
}
#endif
