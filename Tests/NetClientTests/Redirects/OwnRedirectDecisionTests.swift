import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

/// Redirects that a caller decides on.
@Suite(.timeLimit(.minutes(1))) struct OwnRedirectDecisionTests {
    private let transport = MockTransport([
        Stub(.get, "/old", .status(.found).header(.location, "/new#part")), Stub(.get, "/new", .text("new")),
        Stub(.get, "/other", .text("other")),
    ])
    private let get = Request<String>("old", serializer: .string)

    private func client(_ onRedirect: @escaping @Sendable (ProposedRedirect) -> RedirectChoice) -> HTTPClient {
        HTTPClient(baseURL: "https://a.test", transport: transport) {
            $0.headers[.authorization] = "Bearer s3cret"
            $0.onRedirect = onRedirect
        }
    }

    @Test func aRedirectMayBeFollowedOrNot() async throws {
        let seen = Locked<[String]>([])
        let client = client { redirect in
            seen.change { $0.append("\(redirect) \(redirect.history.count)") }
            return .follow()
        }
        let response = try await client.response(get)
        #expect(response.value == "new")
        #expect(response.history.count == 1)
        #expect(seen.value == ["302: GET https://a.test/old → GET https://a.test/new 0"])
        let stays = try await client.raw(get.with { $0.onRedirect = { _ in .stop } })
        #expect(stays.head.status == .found, "that of the request wins")
        #expect(seen.value.count == 1, "that of the request wins")
    }

    @Test func aRefusalIsAnError() async throws {
        let error = try await failure { try await client { _ in .fail("not on Sundays") }.send(get) }
        #expect(error.code == .redirect)
        #expect(error.message.contains("not on Sundays"))
        #expect(error.attempt == 1)
        #expect(transport.journal.requests.count == 1)
    }

    @Test func aRedirectMayLeadElsewhere() async throws {
        let client = client { redirect in
            var next = redirect.request
            next.head.path = "/other"
            next.head.headerFields["X-Way"] = "changed"
            return .follow(with: next)
        }
        let response = try await client.response(get)
        #expect(response.value == "other")
        #expect(response.url == "https://a.test/other")
        let last = try #require(transport.journal.requests.last)
        #expect(last.headers["X-Way"] == "changed")
        #expect(last.headers[.authorization] == "Bearer s3cret")
    }

    /// Credentials in the request aren't forwarded; those that the decision adds are sent.
    @Test func anotherOriginGetsNoSecrets() async throws {
        let client = client { redirect in
            var next = redirect.request
            next.head.authority = "b.test"
            next.head.headerFields["X-API-Key"] = "for b"
            return .follow(with: next)
        }
        try await client.send(get)
        let last = try #require(transport.journal.requests.last)
        #expect(last.authority == "b.test")
        #expect(last.headers[.authorization] == nil)
        #expect(last.headers["X-API-Key"] == "for b")
    }

    @Test func aChangeThatCannotBeSentIsAnError() async throws {
        for change: @Sendable (inout PreparedRequest) -> Void in [
            { $0.head.scheme = "http" }, { $0.head.scheme = "ftp" }, { $0.head.authority = "a b" },
            { $0.head.path = "new" }, { $0.head.authority = nil },
        ] {
            let client = client { redirect in
                var next = redirect.request
                change(&next)
                return .follow(with: next)
            }
            let error = try await failure { try await client.send(get) }
            #expect(error.code == .redirect)
        }
        #expect(transport.journal.requests.allSatisfy { $0.path == "/old" })
    }

    /// The policy is checked first: a redirect that it rejects isn't passed to the decision.
    @Test func thePolicyComesFirst() async throws {
        let client = client { _ in
            Issue.record("must not be asked")
            return .follow()
        }
        let manual = try await client.raw(get.with { $0.redirects = .manual })
        #expect(manual.head.status == .found)
        #expect(
            try await failure { try await client.send(get.with { $0.redirects = .follow(limit: 0) }) }.code == .redirect
        )
    }
}
