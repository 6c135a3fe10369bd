#if Server
@testable import ClientTestSupport
import Foundation
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// Bodies that are written to files.
@Suite(.timeLimit(.minutes(1))) struct BodyFileTests {
    private static let stubs = [
        Stub.pattern("/film", bytes: 3_000_000),
        Stub(.get, "/broken", .bytes(BytePattern.bytes(from: 0, count: 50_000)).dropping(.afterBodyBytes(20_000))),
        Stub(.get, "/missing", .text("no", status: .notFound)), .drip("/slow", count: 100, every: .seconds(1)),
    ]

    private func run(_ body: (HTTPClient, TemporaryFolder) async throws -> Void) async throws {
        try await Fixture.run(Self.stubs) { fixture in
            try await TemporaryFolder.with { folder in try await body(fixture.client, folder) }
        }
    }

    @Test func aDownloadIsTheWholeBody() async throws {
        try await run { (client, folder) async throws in
            let head = try await client.download("film", to: folder.path("film"))
            let data = try Data(contentsOf: URL(fileURLWithPath: folder.path("film")))
            #expect(head.status == .ok)
            #expect(data.count == 3_000_000)
            #expect(BytePattern.matches(data, at: 0))
            #expect(try folder.names == ["film"])
        }
    }

    @Test func anOlderFileIsReplacedOnlyByAWholeOne() async throws {
        try await run { (client, folder) async throws in
            try folder.write("older", to: "film")
            let error = await #expect(throws: APIError<Never>.self) {
                try await client.download("broken", to: folder.path("film"))
            }
            #expect(error?.netError?.code == .connectionLost)
            #expect(error?.netError?.call != nil)
            #expect(try folder.text(of: "film") == "older")
            #expect(try folder.names == ["film"])
            try await client.download("film", to: folder.path("film"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("film"))).count == 3_000_000)
        }
    }

    @Test func aStatusThatIsRefusedWritesNothing() async throws {
        try await run { (client, folder) async throws in
            let error = await #expect(throws: APIError<Never>.self) {
                try await client.download("missing", to: folder.path("film"))
            }
            #expect(error?.status == 404)
            #expect(try folder.names.isEmpty)
        }
    }

    @Test(arguments: ["no/such/folder/film", ""])
    func aFileThatCannotBeWrittenIsAnErrorThatNamesIt(name: String) async throws {
        try await run { (client, folder) async throws in
            let path = folder.path(name)
            let response = try await client.stream("film")
            let error = await #expect(throws: NetError.self) { try await response.write(to: path) }
            #expect(error?.code == .file, "\(error?.message ?? "")")
            #expect(error?.message.contains("\"\(path)\"") == true, "\(error?.message ?? "")")
            #expect(client.unfinishedCalls == 0)
        }
    }

    @Test func aURLThatIsNoFileIsAnError() async throws {
        try await run { (client, _) async throws in
            let url = try #require(URL(string: "https://example.com/film"))
            let response = try await client.stream("film")
            let error = await #expect(throws: NetError.self) { try await response.write(to: url) }
            #expect(error?.code == .file)
        }
    }

    @Test func cancellingLeavesNothing() async throws {
        try await run { (client, folder) async throws in
            let task = Task { try await client.download("slow", to: folder.path("film")) }
            #expect(await eventually { (try? folder.names.isEmpty) == false })
            task.cancel()
            let result = await task.result
            #expect(throws: APIError<Never>.self) { try result.get() }
            if case .failure(let error) = result { #expect(NetError(error)?.isCancellation == true) }
            #expect(try folder.names.isEmpty)
            #expect(client.unfinishedCalls == 0)
        }
    }
}
#endif
