import Foundation
import HTTPTypes
import NetCore
import TestSupport
import Testing

@testable import ClientTestSupport
@testable import NetHTTP

/// Undisturbed uploads, with each protocol.
@Suite(.timeLimit(.minutes(2))) struct UploadProtocolTests {
    @Test func tusBeginsAnUploadAndSendsAllBytesInOneRequest() async throws {
        try await UploadBench.with(.tus()) { bench in
            let file = try await bench.upload { $0.metadata = ["album": "Lovelace, Ada"] }
            bench.expectArrived()
            try #require(bench.server.methods == ["OPTIONS", "POST", "PATCH"])
            let headers = bench.server.visits.value[1].headers
            #expect(headers["upload-length"] == "3000000")
            #expect(headers["tus-resumable"] == "1.0.0")
            // base64 of "Lovelace, Ada", "film.mp4" and "video/mp4".
            #expect(
                headers["upload-metadata"] == "album TG92ZWxhY2UsIEFkYQ==,filename ZmlsbS5tcDQ=,filetype dmlkZW8vbXA0")
            #expect(bench.server.visits.value[0].headers["tus-resumable"] == nil, "tus: not with OPTIONS")
            #expect(file.uploadProtocol == .tus)
            #expect(file.bytes == 3_000_000)
            #expect(file.path == bench.file)
            #expect(file.location == "http://127.0.0.1:\(bench.server.port)/files/upload-2")
            #expect(file.response?.status == .noContent)
            #expect(try bench.journals.isEmpty)
        }
    }

    @Test func aSmallFileGoesWithTheRequestThatBeginsTheUpload() async throws {
        try await UploadBench.with(.tus(extensions: "creation,creation-with-upload"), bytes: 1000) { bench in
            try await bench.upload()
            #expect(bench.server.only?.bytes == bench.content)
            #expect(bench.server.methods == ["OPTIONS", "POST"])
        }
        try await UploadBench.with(.draft(), bytes: 1000) { bench in
            let file = try await bench.upload()
            bench.expectArrived()
            try #require(bench.server.methods == ["OPTIONS", "POST"])
            #expect(file.uploadProtocol == .resumable)
            #expect(file.response?["X-Made"] == "of 1000 bytes")
            let headers = bench.server.visits.value[1].headers
            #expect(headers["content-disposition"] == "inline; filename=\"film.mp4\"")
            #expect(headers["content-type"] == "video/mp4")
        }
    }

    @Test(arguments: 3...8) func eachVersionOfTheDraftIsSpoken(version: Int) async throws {
        try await UploadBench.with(.draft(version: version)) { bench in
            bench.on("PATCH", .cut(after: 1_234_567))
            let file = try await bench.upload()
            bench.expectArrived()
            #expect(file.uploadProtocol == .resumable)
            #expect(bench.server.methods == ["OPTIONS", "POST", "PATCH", "HEAD", "PATCH"])
            #expect(bench.server.receivedBytes == 3_000_000, "only what the server hadn't was sent again")
        }
    }

    @Test func aServerThatKnowsNeitherGetsAPlainUpload() async throws {
        try await UploadBench.with(.plain) { bench in
            let file = try await bench.upload()
            bench.expectArrived()
            #expect(file.uploadProtocol == .plain)
            #expect(file.response?.status == .created)
            try #require(bench.server.methods == ["OPTIONS", "POST"])
            #expect(bench.server.visits.value[1].headers["upload-complete"] == "?1", "an offer that costs nothing")
        }
        try await UploadBench.with(.plain) { bench in
            try await bench.upload {
                $0.uploadProtocol = .plain
                $0.method = .put
            }
            bench.expectArrived()
            try #require(bench.server.methods == ["PUT"])
            #expect(bench.server.visits.value[0].headers["upload-complete"] == nil)
        }
    }

    @Test func anEmptyFileArrives() async throws {
        for speech in [
            UploadPeer.Speech.tus(), .tus(extensions: "creation-with-upload"), .draft(), .draft(version: 3), .plain,
        ] {
            try await UploadBench.with(speech, bytes: 0) { bench in
                let file = try await bench.upload()
                #expect(file.bytes == 0, "\(speech)")
                #expect(bench.server.only?.bytes == [], "\(speech)")
            }
        }
    }

    @Test func requestsAreNoLargerThanTheServerAndTheProgramAllow() async throws {
        try await UploadBench.with(.draft(limits: "max-append-size=1000000, max-size=5000000")) { bench in
            try await bench.upload()
            bench.expectArrived()
            let sizes = bench.server.visits.value.filter { $0.method == "PATCH" }.map(\.bodyBytes)
            #expect(sizes == [1_000_000, 1_000_000, 1_000_000])
        }
        try await UploadBench.with(.tus()) { bench in
            try await bench.upload { $0.requestBytes = 2_000_000 }
            bench.expectArrived()
            #expect(
                bench.server.visits.value.filter { $0.method == "PATCH" }.map(\.bodyBytes) == [2_000_000, 1_000_000])
        }
        try await UploadBench.with(.draft(limits: "min-append-size=1000, max-append-size=2000000")) { bench in
            try await bench.upload()
            bench.expectArrived()
            #expect(bench.server.visits.value.map(\.bodyBytes) == [0, 2_000_000, 1_000_000], "none without bytes")
        }
    }

    @Test func aFileThatTheServerDoesNotTakeIsNotSent() async throws {
        try await UploadBench.with(.draft(limits: "max-size=2999999")) { bench in
            let error = try await bench.failure()
            #expect(error.code == .rejected)
            #expect(error.message.contains("3000000 bytes"))
            #expect(error.message.contains("2999999"))
            #expect(bench.server.methods == ["OPTIONS"])
        }
    }

    @Test func theDigestOfTheFileIsSentToServersThatAskForIt() async throws {
        let digest = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"
        try await UploadBench.with(.draft(), bytes: 0) { bench in
            try await bench.upload { $0.sendsDigest = true }
            #expect(bench.server.only?.headers["repr-digest"] == digest)
        }
        try await UploadBench.with(.draft(), bytes: 0) { bench in
            bench.on(
                "OPTIONS",
                .status(
                    200,
                    [
                        "Accept-Patch": "application/partial-upload", "Want-Repr-Digest": "sha-256=10",
                    ]))
            try await bench.upload()
            #expect(bench.server.only?.headers["repr-digest"] == digest)
        }
    }

    @Test func eachRequestOfTusHasAChecksumIfTheServerTakesIt() async throws {
        try await UploadBench.with(.tus(extensions: "creation,checksum", checksums: "md5,sha256")) { bench in
            bench.on("PATCH", .status(460))
            try await bench.upload { $0.requestBytes = 1_000_000 }
            bench.expectArrived()
            #expect(
                bench.server.visits.value.filter { $0.method == "PATCH" }.allSatisfy {
                    $0.headers["upload-checksum"]?.hasPrefix("sha256 ") == true
                })
            #expect(bench.server.methods == ["OPTIONS", "POST", "PATCH", "HEAD", "PATCH", "PATCH", "PATCH"])
        }
    }

    @Test func uploadsAndDownloadsAreInOneQueueWithOneKindOfEvents() async throws {
        let jobs = Locked<[JobActivity]>([])
        try await UploadBench.with(.tus(), listeners: [JobListener(jobs)]) { bench in
            try await bench.manager { manager in
                var states = [DownloadState]()
                let events = manager.events
                let id = try await manager.enqueue(bench.request())
                for await event in events {
                    #expect(event.task.kind == .upload)
                    #expect(event.task.fileName == "film.mp4")
                    if case .state(let state) = event.kind { states.append(state) }
                    if event.task.state.isFinal { break }
                }
                #expect(states == [.uploading, .completed])
                let task = try #require(manager.task(id))
                #expect(task.bytes == 3_000_000)
                #expect(task.total == 3_000_000)
                #expect(task.localURL?.path == bench.file)
                let again = try JSONDecoder().decode(DownloadTask.self, from: try JSONEncoder().encode(task))
                #expect(again == task)
                #expect(again.kind == .upload)
            }
            #expect(jobs.value.allSatisfy { $0.kind == .upload && $0.title == "film.mp4" })
            #expect(jobs.value.last?.state == .completed)
            #expect(jobs.value.last?.bytes == 3_000_000)
            #expect(jobs.value.last?.attempts == 3, "calls")
        }
    }

    @Test func severalFilesGoToOneURLButNotTheSameTwice() async throws {
        try await UploadBench.with(.tus(), bytes: 100_000) { bench in
            try Data([1, 2, 3]).write(to: URL(fileURLWithPath: bench.folder.path("other")))
            bench.on("OPTIONS", .status(503, ["Retry-After": "60"]))
            try await bench.manager {
                $0.retry = RetryPolicy(backoff: .constant(.seconds(60)))
            } _: { manager in
                try await manager.enqueue(bench.request())
                try await manager.enqueue(UploadRequest(bench.folder.path("other"), to: bench.server.url))
                await #expect { try await manager.enqueue(bench.request()) } throws: {
                    ($0 as? DownloadError)?.code == .alreadyQueued
                }
            }
        }
    }

    @Test func aRequestThatMakesNoSenseIsRefusedAtOnce() async throws {
        try await UploadBench.with(.tus(), bytes: 10) { bench in
            let bad: [((inout UploadRequest) -> Void, DownloadError.Code, String)] = [
                ({ $0.file = "/no/such/file" }, .fileSystem, "/no/such/file"),
                ({ $0.file = "/dev/null" }, .fileSystem, "/dev/null"),
                ({ $0.url = "ftp://a/b" }, .invalidURL, "http"),
                ({ $0.metadata = ["a b": "c"] }, .invalidURL, "a b"),
                ({ $0.requestBytes = 0 }, .invalidURL, "requestBytes"),
            ]
            for (change, code, part) in bad {
                let error = try await bench.failure(change)
                #expect(error.code == code, "\(error)")
                #expect(error.message.contains(part), "\(error)")
            }
            #expect(bench.server.visits.value.isEmpty)
        }
    }
}

private final class JobListener: ActivityListener {
    private let jobs: Locked<[JobActivity]>
    init(_ jobs: Locked<[JobActivity]>) { self.jobs = jobs }
    var interest: ActivityInterest { .jobs }
    func record(_ event: ActivityEvent) {}
    func record(_ activity: JobActivity) { jobs.change { $0.append(activity) } }
}
