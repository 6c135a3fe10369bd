#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// Responses of logins with a name are kept on disk, those of logins without a name only in the process.
@Suite(.timeLimit(.minutes(2))) struct DiskCacheIdentityTests {
    private func run(
        _ folder: TemporaryFolder, as name: String?,
        _ body: (Fixture, RefreshingCredentials, Locked<Int>) async throws -> Void
    ) async throws {
        let count = Locked(0)
        let stub = Stub(.get, "/x") { request in
            count.change { $0 += 1 }
            var response = StubResponse.text("data of \(request.headers[.authorization] ?? "nobody")")
            response.headers[.cacheControl] = "max-age=600"
            return response
        }
        let tokens = RefreshingCredentials(configuration: .init(identity: name)) { _ in try .bearer("geheim-token") }
        let disk = DiskCacheStore(folder: folder.path("cache"))
        let setup = Fixture.Setup.client { $0.middleware = [CacheMiddleware(disk), AuthMiddleware(tokens)] }
        // One address for all servers, so that they are the same site for the cache.
        try await Fixture.run([stub], with: setup) { (fixture) async throws in try await body(fixture, tokens, count) }
    }

    private func get(_ fixture: Fixture, _ identity: CallIdentity? = nil) async throws -> String {
        var request = Request<String>("x", serializer: .string)
        request.options.identity = identity
        return try await fixture.client.send(request)
    }

    private func contents(_ folder: TemporaryFolder) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("cache"))
        return try names.reduce(names.joined(separator: " ")) { text, name in
            let data = try Data(contentsOf: URL(fileURLWithPath: folder.path("cache/\(name)")))
            return text + String(decoding: data, as: UTF8.self)
        }
    }

    @Test func aNamedLoginIsFoundAgainByAnotherStoreAndNamedNowhere() async throws {
        try await TemporaryFolder.with { (folder) async throws in
            try await run(folder, as: "ann@example.com") { (fixture, _, count) async throws in
                #expect(try await get(fixture) == "data of Bearer geheim-token")
                #expect(count.value == 1)
                // The behavior of another process.
                let other = CacheMiddleware(DiskCacheStore(folder: folder.path("cache")))
                let client = fixture.client.with { $0.middleware = [other] }
                var request = Request<String>("x", serializer: .string)
                request.options.identity = .named("ann@example.com")
                #expect(try await client.send(request) == "data of Bearer geheim-token")
                request.options.identity = .named("bob@example.com")
                #expect(try await client.send(request) == "data of nobody")
                request.options.identity = nil
                #expect(try await client.send(request) == "data of nobody")
                #expect(count.value == 3)
                let text = try contents(folder)
                #expect(text.contains("data of Bearer"))
                #expect(!text.contains("ann@example.com"))
                #expect(!text.contains("bob@"))
            }
        }
    }

    @Test func aLoginWithoutNameLivesInTheProcess() async throws {
        try await TemporaryFolder.with { (folder) async throws in
            try await run(folder, as: nil) { (fixture, tokens, count) async throws in
                for _ in 0..<2 { #expect(try await get(fixture) == "data of Bearer geheim-token") }
                #expect(count.value == 1)
                #expect((try? contents(folder))?.contains("geheim-token") != true)
                try await tokens.forget(next: "bob")
                for _ in 0..<2 { _ = try await get(fixture) }
                #expect(count.value == 2)
                #expect(try contents(folder).contains("data of Bearer"))
                try await tokens.forget()
                _ = try await get(fixture)
                #expect(count.value == 3)
            }
        }
    }

    @Test func theHashOfANameIsOneOfItsFolder() async throws {
        try await TemporaryFolder.with { (folder) async throws in
            var names: [[String]] = []
            for part in ["a", "b", "a"] {
                let store = DiskCacheStore(folder: folder.path(part))
                let key = try #require(CacheKey(url: "http://a.test/", identity: .named("ann")))
                _ = await store.entries(for: key)
                await store.removeAll()
                let secret = try Data(contentsOf: URL(fileURLWithPath: folder.path("\(part)/secret")))
                names.append([secret.base64EncodedString()])
                let mode = try FileManager.default.attributesOfItem(atPath: folder.path("\(part)/secret"))[
                    .posixPermissions]
                #expect((mode as? NSNumber)?.intValue == 0o600)
            }
            #expect(names[0] == names[2])
            #expect(names[0] != names[1])
        }
    }
}
#endif
