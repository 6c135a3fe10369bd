#if Server
import NetCore
import NetTestServer
import NetTesting
import Testing

@testable import ClientTestSupport
@testable import NetHTTP

/// Servers whose responses are unusual or wrong: the right file, or an error.
@Suite(.timeLimit(.minutes(1))) struct MisbehavingServerDownloadTests {
    @Test(arguments: MisbehavingServer.allCases)
    func theFileIsRightOrThereIsAnError(_ server: MisbehavingServer) async throws {
        try await Fixture.run(server.stubs()) { fixture in
            try await DownloadBench.with { bench in
                var request = DownloadRequest("\(fixture.server.baseURL)/file")
                if server.hasChecksum { request.checksum = .sha256(MisbehavingServer.digest) }
                let job = try bench.job(request)
                do throws(DownloadError) {
                    let file = try await bench.run(job, fixture.client) {
                        if server.stalls { $0.idleTimeout = .milliseconds(700) }
                    }
                    let bytes = try? bench.bytes(file)
                    switch server.ending {
                    case .file: #expect(bytes == MisbehavingServer.file)
                    case .changedFile: #expect(bytes == MisbehavingServer.changed)
                    case .error: Issue.record("a file of \(file.bytes) bytes came")
                    }
                    #expect((try? bench.parts) == [])
                } catch {
                    guard case .error(let codes) = server.ending, codes.contains(error.code.rawValue) else {
                        Issue.record("\(error)")
                        return
                    }
                    #expect((try? bench.names) == [])
                }
                let objection = server.objection(to: fixture.server.journal.requests)
                #expect(objection == nil)
            }
        }
    }
}
#endif
