import NetCore
import NetHTTP
import NetTestTraits
import NetTesting
import Testing

private struct GetUser: APIRequest {
    struct Response: Decodable, Sendable { let id: Int, name: String }
    let id: Int
    var path: Path { "users/\(id)" }
}

private let locked = ReplayEnvironment(["NET_CASSETTES": "none"])
private let base: HTTPClient.Configuration = .init(baseURL: "https://api.example.com")

/// The traits as users write them; the recordings are in version control.
@Suite struct AttachedCassetteTests {
    @Test(.offline, .cassette("ada", environment: locked)) func findsAda() async throws {
        let client = HTTPClient(configuration: base, transport: CassetteTransport(over: MockTransport()))
        #expect(try await client.send(GetUser(id: 7)).name == "Ada")
    }

    @Test(.cassette("users", environment: locked), arguments: [(7, "Ada"), (8, "Grace")])
    func everyCaseHasItsOwn(_ id: Int, _ name: String) async throws {
        let client = HTTPClient(configuration: base, transport: CassetteTransport(case: "\(id)"))
        #expect(try await client.send(GetUser(id: id)).name == name)
    }

    @Test(arguments: [7]) func aCaseWithoutANameIsAClearError(_ id: Int) async throws {
        let found = try await issues {
            try await run(CassetteTrait.cassette("users", environment: locked)) {
                let client = HTTPClient(configuration: base, transport: CassetteTransport())
                try await client.send(GetUser(id: id))
            }
        }
        #expect(found.count == 1)
        #expect(found.text.contains("CassetteTransport(case: \"…\", over: …)"))
    }
}

@Suite(.cassettes(in: "shop", environment: locked))
struct SuiteCassetteTests {
    private let client = HTTPClient(configuration: base, transport: CassetteTransport())

    @Test func findsAda() async throws {
        #expect(try await client.send(GetUser(id: 7)).name == "Ada")
    }

    @Test func needsNothing() {}

    @Test(.cassette("ada", environment: locked)) func hasItsOwn() async throws {
        let own = HTTPClient(configuration: base, transport: CassetteTransport())
        #expect(try await own.send(GetUser(id: 7)).name == "Ada")
    }

    @Suite struct Inner {
        @Test(arguments: [7]) func finds(id: Int) async throws {
            let client = HTTPClient(configuration: base, transport: CassetteTransport(case: "\(id)"))
            #expect(try await client.send(GetUser(id: id)).name == "Ada")
        }
    }
}
