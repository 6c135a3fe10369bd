#if Tools
import HTTPTypes
import Testing

@testable import net_activity

@Suite struct LiveGateTests {
    private let gate = LiveGate(port: 8080, token: "0123456789abcdef")

    private func place(
        _ target: String, method: String = "GET", _ fields: [String: String] = [:]
    ) -> Result<LiveGate.Place, LiveGate.Refusal> {
        let all = ["host": "127.0.0.1:8080"].merging(fields) { $1 }
        return Result { () throws(LiveGate.Refusal) in
            try gate.place(method: method, target: target) { all[$0] }
        }
    }

    private func status(_ result: Result<LiveGate.Place, LiveGate.Refusal>) -> Int? {
        guard case .failure(let refusal) = result else { return nil }
        return refusal.status.code
    }

    @Test(arguments: [
        ("/0123456789abcdef/", LiveGate.Place.page), ("/0123456789abcdef/?x=1", .page),
        ("/0123456789abcdef/list", .list), ("/0123456789abcdef/findings", .findings),
        ("/0123456789abcdef/part/0", .part(0)), ("/0123456789abcdef/part/77", .part(77)),
        ("/0123456789abcdef/events?after=12", .events(after: 12)),
    ]) func theLinkLeadsToEverything(target: String, expected: LiveGate.Place) {
        #expect(place(target) == .success(expected))
        #expect(place(target, ["host": "LOCALHOST:8080"]) == .success(expected))
    }

    @Test func lastEventIDTakesPrecedenceOverTheQuery() {
        let again = place("/0123456789abcdef/events?after=12", ["last-event-id": "40"])
        #expect(again == .success(.events(after: 40)))
        #expect(status(place("/0123456789abcdef/events?after=12", ["last-event-id": "x"])) == 404)
    }

    @Test(arguments: [
        "127.0.0.1", "127.0.0.1:80", "evil.test:8080", "evil.test", "127.0.0.1:8080.evil.test", "", "[::1]:8080",
    ])
    func anotherNameOfThisMachineIsNobody(host: String) {
        #expect(status(place("/0123456789abcdef/list", ["host": host])) == 421)
    }

    @Test func aRequestWithoutAHostIsNobodys() {
        let result = Result { () throws(LiveGate.Refusal) in
            try gate.place(method: "GET", target: "/0123456789abcdef/") { _ in nil }
        }
        #expect(status(result) == 421)
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "HEAD", "OPTIONS", "get", "CONNECT"])
    func nothingIsChangedHere(method: String) {
        #expect(status(place("/0123456789abcdef/list", method: method)) == 405)
    }

    @Test(arguments: [
        "/", "", "*", "//", "/0123456789abcde/list", "/0123456789abcdef0/list", "/0123456789ABCDEF/list",
        "/list", "/x/0123456789abcdef/list", "0123456789abcdef/list", "/%30123456789abcdef/list",
        "http://h/0123456789abcdef/",
    ]) func withoutTheTokenNothingIsShown(target: String) {
        #expect(status(place(target)) == 403)
    }

    @Test(arguments: [
        "/0123456789abcdef", "/0123456789abcdef/x", "/0123456789abcdef/list/", "/0123456789abcdef/list/x",
        "/0123456789abcdef/part", "/0123456789abcdef/part/", "/0123456789abcdef/part/-1", "/0123456789abcdef/part/x",
        "/0123456789abcdef/part/1/2", "/0123456789abcdef/part/99999999999999999999", "/0123456789abcdef/events",
        "/0123456789abcdef/events?after=-1", "/0123456789abcdef/events?after=", "/0123456789abcdef/../list",
    ]) func unknownTargetsReturnNotFound(target: String) {
        #expect(status(place(target)) == 404)
    }

    @Test(
        arguments: [
            (["origin": "http://evil.test"], 403), (["origin": "null"], 403),
            (["origin": "https://127.0.0.1:8080"], 403),
            (["origin": "http://127.0.0.1:9090"], 403), (["origin": "http://127.0.0.1:8080"], nil),
            (["sec-fetch-site": "cross-site"], 403), (["sec-fetch-site": "same-site"], 403),
            (["sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"], 403),
            (["sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"], nil),
            (["sec-fetch-site": "same-origin"], nil), (["sec-fetch-site": "none"], nil),
        ] as [([String: String], Int?)]) func aPageOfAnotherOriginReadsNothing(fields: [String: String], expected: Int?)
    {
        #expect(status(place("/0123456789abcdef/list", fields)) == expected)
    }

    @Test func aTokenHas128RandomBits() {
        var random = SystemRandomNumberGenerator()
        let tokens = (0..<100).map { _ in LiveGate.makeToken(&random) }
        #expect(Set(tokens).count == 100)
        #expect(tokens.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
    }
}
#endif
