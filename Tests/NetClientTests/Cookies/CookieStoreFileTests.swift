import Foundation
import NetHTTP
import Testing

@testable import ClientTestSupport

@Suite struct CookieStoreFileTests {
    private func store() throws -> CookieStore {
        let store = CookieStore()
        try store.withJar { jar in
            let end = Date().addingTimeInterval(3600)
            try jar.insert(Cookie(name: "id", value: "SECRET", domain: "h.test", expires: end), now: Date())
            try jar.insert(Cookie(name: "session", value: "SECRET", domain: "h.test"), now: Date())
        }
        return store
    }

    @Test func aFileIsForItsOwnerAloneAndBringsTheCookiesBack() async throws {
        try await TemporaryFolder.with { folder in
            let store = try store()
            let path = folder.path("cookies.json")
            // An older, world-readable file is replaced instead of overwritten.
            try await store.save(to: path)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            try await store.save(to: path)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            #expect(try folder.names == ["cookies.json"])
            let other = CookieStore()
            try other.withJar { try $0.insert(Cookie(name: "old", value: "1", domain: "h.test"), now: Date()) }
            #expect(try await other.load(from: path))
            #expect(other.cookies.map(\.name) == ["id"])
            #expect(other.cookies.first?.value == "SECRET")
            try await store.save(to: path, includingSession: true)
            try await other.load(from: path)
            #expect(other.cookies.map(\.description) == store.cookies.map(\.description))
            // An hour later, one of them has expired.
            try await other.load(from: path, now: Date().addingTimeInterval(3601))
            #expect(other.cookies.map(\.name) == ["session"])
        }
    }

    @Test func noFileIsNoErrorAndChangesNothing() async throws {
        try await TemporaryFolder.with { folder in
            let store = try store()
            let isThere = try await store.load(from: folder.path("none.json"))
            #expect(!isThere)
            #expect(store.cookies.count == 2)
        }
    }

    @Test(arguments: ["", "{\"cookies\": [\"SECRET", "my own notes: SECRET"])
    func aDamagedFileIsAnErrorAndStaysAsItIs(text: String) async throws {
        try await TemporaryFolder.with { folder in
            try folder.write(text, to: "cookies.json")
            let store = try store()
            let path = folder.path("cookies.json")
            let read = await #expect(throws: NetError.self) { try await store.load(from: path) }
            let written = await #expect(throws: NetError.self) { try await store.save(to: path) }
            for error in [read, written] {
                #expect(error?.code == .decoding)
                #expect(error?.message.contains(path) == true)
                #expect(error?.description.contains("SECRET") == false)
            }
            #expect(try folder.text(of: "cookies.json") == text)
            #expect(store.cookies.count == 2)
        }
    }

    @Test func aPlaceThatCannotBeWrittenIsAnErrorThatSaysSo() async throws {
        try await TemporaryFolder.with { folder in
            let store = try store()
            for path in [folder.path("none/cookies.json"), folder.url.path()] {
                let error = await #expect(throws: NetError.self) { try await store.save(to: path) }
                #expect(error?.code == .file)
            }
            #expect(try folder.names.isEmpty)
        }
    }

    @Test func manySavesAtOnceLeaveOneWholeFile() async throws {
        try await TemporaryFolder.with { folder in
            let store = try store()
            let path = folder.path("cookies.json")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await store.save(to: path) }
                    group.addTask { try await CookieStore().load(from: path) }
                }
                try await group.waitForAll()
            }
            #expect(try folder.names == ["cookies.json"])
        }
    }

    @Test func hostsThatWantHTTPSAreKeptTheSameWay() async throws {
        try await TemporaryFolder.with { folder in
            let store = HSTSStore()
            store.withList {
                $0.insert(.init(host: "h.test", includesSubdomains: true, expires: Date(timeIntervalSince1970: 9e9)))
            }
            let path = folder.path("hsts.json")
            try await store.save(to: path)
            let other = HSTSStore()
            #expect(try await other.load(from: path))
            #expect(other.entries == store.entries)
            try folder.write("else", to: "hsts.json")
            let error = await #expect(throws: NetError.self) { try await other.save(to: path) }
            #expect(error?.code == .decoding)
            #expect(try folder.text(of: "hsts.json") == "else")
        }
    }
}
