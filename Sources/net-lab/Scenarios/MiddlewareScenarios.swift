#if Tools && Server
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetHTTP
internal import NetTestServer
internal import NetTesting
internal import Synchronization

/// Scenarios with middleware: credentials, cookies, limits, traces.
enum MiddlewareScenarios {
    static let all = [refresh, digest, cookies, breaker, hedging, trace, pages, curl]

    private static let text = Request<String>("text", serializer: .string)

    private static let refresh = Scenario(
        "100 times 401", "An expired token is renewed once for all refused calls.",
        expect: "100 answers, 1 new token",
        with: [
            Stub(.get, "/text") {
                $0.headers[.authorization] == "Bearer fresh" ? .text("welcome") : .status(.unauthorized)
            }
        ]
    ) { bench in
        let renewals = Counter()
        let tokens = RefreshingCredentials(initial: try .bearer("stale")) { _ in
            renewals.add()
            return try .bearer("fresh")
        }
        let client = try bench.client(AuthMiddleware(tokens))
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await client.send(text) } }
            return try await group.reduce(into: 0) { count, answer in count += answer == "welcome" ? 1 : 0 }
        }
        return "\(answers) answers, \(renewals.value) new token"
    }

    private static let digest = Scenario(
        "Digest", "A password is proved without being sent (RFC 7616).",
        expect: "welcome after 401; SHA-256, the password stays here",
        with: [
            Stub(.get, "/text") { request in
                let challenge = "Digest realm=\"harbour\", qop=\"auth\", algorithm=SHA-256, nonce=\"4711\""
                return request.headers[.authorization] == nil
                    ? .status(.unauthorized).header(.wwwAuthenticate, challenge) : .text("welcome")
            }
        ]
    ) { bench in
        let client = try bench.client(DigestMiddleware(user: "ada", password: "lab-secret-4711"))
        let answer = try await client.send(text)
        let proof = bench.requests.last?.headers[.authorization] ?? ""
        let algorithm = proof.contains("algorithm=SHA-256") ? "SHA-256" : "another algorithm"
        let isSent = bench.requests.contains { "\($0.headers)".contains("lab-secret-4711") }
        return "\(answer) after \(bench.requests.count == 2 ? "401" : "something else"); \(algorithm), "
            + "the password \(isSent ? "went out" : "stays here")"
    }

    private static let cookies = Scenario(
        "cookies", "Cookies that a server sets are sent back to it (RFC 6265).",
        expect: "session=42 came back, expired ones did not",
        with: [
            Stub(.get, "/sign-in") { _ in
                var response = StubResponse.text("welcome")
                for cookie in ["session=42; HttpOnly", "old=1; Max-Age=0"] {
                    response.headers.append(HTTPField(name: .setCookie, value: cookie))
                }
                return response
            }, Stub(.get, "/text", .text("welcome")),
        ]
    ) { bench in
        let client = try bench.client(CookieMiddleware())
        try await client.send(Request<String>("sign-in", serializer: .string))
        try await client.send(text)
        let sent = bench.requests.last?.headers[.cookie] ?? "nothing"
        return "\(sent) came back, expired ones \(sent.contains("old") ? "too" : "did not")"
    }

    private static let breaker = Scenario(
        "circuit breaker", "A server that only fails gets no more calls.",
        expect: "10 failed, then limited, 10 requests sent",
        with: [Stub(.get, "/text", .status(.serviceUnavailable))]
    ) { bench in
        let client = try bench.client(CircuitBreakerMiddleware())
        var codes: [String] = []
        for _ in 0..<11 {
            do {
                try await client.send(text)
            } catch let error as APIError<Never> {
                codes.append(error.netError.map { "\($0.code)" } ?? "rejected")
            }
        }
        return "\(codes.count { $0 == "unacceptableStatus" }) failed, then \(codes.last ?? "nothing"), "
            + "\(bench.requests.count) requests sent"
    }

    private static let hedging = Scenario(
        "hedging", "A slow request is sent a second time; the first response wins.",
        expect: "quick, of 2 requests",
        with: [
            Stub(.get, "/text", .text("slow").delayed(by: .seconds(30))).times(1),
            Stub(.get, "/text", .text("quick")).priority(-1),
        ]
    ) { bench in
        let client = try bench.client(HedgingMiddleware(after: .milliseconds(50), budget: RetryBudget()))
        return "\(try await client.send(text)), of \(bench.requests.count) requests"
    }

    private static let trace = Scenario(
        "trace context", "The server learns which call it is part of (W3C).", expect: "the trace is the call's",
        with: [Stub(.get, "/text", .text("welcome"))]
    ) { bench in
        let response = try await bench.client(TracePropagationMiddleware()).response(text)
        let field = bench.requests.last?.headers[.traceParent] ?? "none"
        let id = "\(response.call.id)".replacing("-", with: "").lowercased()
        return field.contains(id) ? "the trace is the call's" : "call \(id), but \(field)"
    }

    private static let pages = Scenario(
        "pages", "A list is read page by page, following its links (RFC 8288).", expect: "1 2 3 4 5 6 on 3 pages",
        with: (1...3).map { page in
            let list = StubResponse.json(text: "[\(page * 2 - 1), \(page * 2)]")
            let link = "</books/\(page + 1)>; rel=\"next\""
            return Stub(.get, PathTemplate("/books/\(page)"), page < 3 ? list.header(.link, link) : list)
        }
    ) { bench in
        var (numbers, count) = ([String](), 0)
        for try await page in try bench.client().pages(Request<[Int]>("books/1"), by: .link()) {
            numbers += page.value.map(String.init)
            count += 1
        }
        return "\(numbers.joined(separator: " ")) on \(count) pages"
    }

    private static let curl = Scenario(
        "as a cURL command", "A request to try by hand, without its secrets.",
        expect: "curl, the token is hidden", with: []
    ) { bench in
        var request = text
        request.headers[.authorization] = "Bearer lab-secret-4711"
        let command = try bench.client().prepare(request).curl()
        return "\(command.prefix(4)), the token is \(command.contains("lab-secret-4711") ? "shown" : "hidden")"
    }

    /// A counter that any task can increment.
    private final class Counter: Sendable {
        private let count = Mutex(0)

        var value: Int { count.withLock { $0 } }

        func add() { count.withLock { $0 += 1 } }
    }
}
#endif
