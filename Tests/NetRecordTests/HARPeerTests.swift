#if Server
import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetRecord
import NetTestServer
import NetTesting
import Testing

/// HAR exchange between this library and other programs: they read our files as the same calls, and we replay theirs.
@Suite(.serialized, .timeLimit(.minutes(8)))
struct HARPeerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func otherToolsReadTheSameCallsFromOurHARFiles() async throws {
        let session = try await HARSession.record(to: folder.file("ours.har"))
        try JSONEncoder().encode(session.calls).write(to: URL(filePath: folder.file("calls.json")))
        let schemas = ProcessInfo.processInfo.environment["NET_DATA"].map { "\($0)/conformance/har" } ?? ""
        let result = try await PeerProgram.run(
            PeerProgram.python,
            [
                PeerProgram.root + "/Fixtures/har/read_har.py", folder.file("ours.har"), folder.file("calls.json"),
                schemas,
                PeerProgram.mitmdump,
            ])
        #expect(result.status == 0, "\(result.output)")
        let verdicts = result.output.split(separator: "\n").compactMap { line in
            try? JSONDecoder().decode(HARVerdict.self, from: Data(line.utf8))
        }
        #expect(Set(verdicts.map(\.check)) == ["schema", "haralyzer", "mitmproxy"], "\(result.output)")
        for verdict in verdicts { verdict.tell() }
    }

    @Test func recordedHARFilesCanBeReplayed() async throws {
        let session = try await HARSession.record(to: folder.file("ours.har"))
        let replay = try ReplayTransport(cassette: folder.file("ours.har"), mode: .none)
        for (call, live) in zip(session.calls, session.answers) {
            // Multipart bodies have a new boundary each time; nothing else may differ.
            let request = HARSession.request(call.name, session.base(of: call), boundary: "another-boundary")
            let answer = await HARSession.answer(request, over: replay)
            HARVerdict(
                check: "replay", case: call.name, passed: answer == live.redacted, detail: "\(answer), not \(live)"
            )
            .tell()
        }
        try replay.verify()
    }

    @Test func mitmproxyHARFilesCanBeReplayed() async throws {
        guard FileManager.default.isExecutableFile(atPath: PeerProgram.mitmdump) else {
            return HARVerdict(check: "from mitmproxy", skipped: "mitmproxy is not installed; scripts/bootstrap --tests")
                .tell()
        }
        let server = try await TestServer.start(HARSession.stubs)
        let calls = MitmproxyCall.all(base: server.baseURL.description)
        try JSONEncoder().encode(calls.map(\.arguments)).write(to: URL(filePath: folder.file("calls.json")))
        let (script, output) = (PeerProgram.root + "/Fixtures/har/record_har.py", folder.file("theirs.har"))
        let result = try await PeerProgram.run(
            PeerProgram.python, [script, PeerProgram.mitmdump, folder.file("calls.json"), output])
        await server.stop()
        try #require(result.status == 0, "\(result.output)")
        let replay = try ReplayTransport(cassette: output, mode: .none)
        for call in calls {
            let answer = await HARSession.answer(call.request, over: replay)
            HARVerdict(
                check: "from mitmproxy", case: call.name, passed: answer == call.answer,
                detail: "\(answer), not \(call.answer)"
            ).tell()
        }
        try replay.verify()
    }
}
#endif
