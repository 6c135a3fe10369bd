import Foundation
import HTTPTypes
import NetTesting
import TestSupport
import Testing

@testable import NetCore

@Suite struct JoinedCookiesTests {
    @Test(
        arguments: [
            ("a=1", ["a=1"]), ("a=1, b=2", ["a=1", "b=2"]), ("a=1,b=2,\tc=3", ["a=1", "b=2", "c=3"]), ("", []),
            (",", [","]),
            ("a=1; Expires=Wed, 01 Jan 2020 00:00:00 GMT, b=2", ["a=1; Expires=Wed, 01 Jan 2020 00:00:00 GMT", "b=2"]),
            ("a=1, b", ["a=1, b"]), ("a=1, =2", ["a=1, =2"]), (" a=1 \t,  b=2 ", ["a=1", "b=2"]),
            ("a=x,y z=1", ["a=x,y z=1"]),
            ("a=1,{b=2", ["a=1,{b=2"]), ("a=1,|b~=2", ["a=1", "|b~=2"]), ("a=1,b", ["a=1,b"]),
            ("a=1,b=", ["a=1", "b="]),
            ("a=1,/=2", ["a=1,/=2"]), ("a=1,:=2", ["a=1,:=2"]), ("a=1,@=2", ["a=1,@=2"]), ("a=1,[=2", ["a=1,[=2"]),
            ("a=1,Z9=2", ["a=1", "Z9=2"]), ("a=1,0=2", ["a=1", "0=2"]), ("a=1,A=2", ["a=1", "A=2"]),
            ("a=1,z=2", ["a=1", "z=2"]),
        ] as [(String, [String])])
    func cookiesOfOneLineAreSplit(_ text: String, _ cookies: [String]) {
        #expect(JoinedCookies.split(text) == cookies)
    }

    @Test func aHeadIsMadeOfJoinedFields() throws {
        let head = try #require(
            ResponseHead(
                status: 200,
                joinedFields: [
                    ("X-B", "2"), ("Set-Cookie", "a=1, b=2"), ("bad name", "x"), ("X-A", "1, 2"), ("x-b", "1"),
                ]))
        #expect(
            head.headers.map { "\($0.name.rawName): \($0.value)" } == [
                "Set-Cookie: a=1", "Set-Cookie: b=2", "X-A: 1, 2", "x-b: 1", "X-B: 2",
            ])
        for (status, isOne) in [(99, false), (100, true), (999, true), (1000, false)] {
            #expect((ResponseHead(status: status, joinedFields: []) != nil) == isOne)
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct StreamedResponseTests {
    private func response(_ body: ResponseBody, _ headers: HTTPFields = [:]) -> StreamedResponse {
        StreamedResponse(head: ResponseHead(status: .ok, headers: headers), body: body)
    }

    @Test func aBodyThatIsLongIsNotRead() async {
        for (length, isRead) in [("65536", true), ("65537", false), ("x", true)] {
            let source = HeldSource(["a"])
            await response(ResponseBody(source: source), [.contentLength: length]).discardBody()
            #expect((source.cancellations == 0) == isRead, "\(length)")
        }
        let endless = HeldSource([String(repeating: "a", count: 65_536), "b", "c"])
        await response(ResponseBody(source: endless)).discardBody()
        #expect(endless.cancellations == 1)
    }

    @Test func aBodyIsReadAsWhatItIs() async throws {
        let json = response(ResponseBody(Bytes("[1]".utf8)))
        #expect(try await json.bytes().count == 3)
        #expect(try await json.text() == "[1]")
        #expect(try await json.decode([Int].self) == [1])
        #expect(json.history.isEmpty)
        #expect(json.status == .ok)
        #expect(json.description == "HTTP/? 200 OK")
        let wrong = await #expect(throws: NetError.self) { try await json.decode(Int.self) }
        #expect(wrong?.code == .decoding)
        #expect(wrong?.phase == .decoding)
        #expect(wrong?.response?.body.count == 3)
        #expect(wrong?.message == "the response is not what Int expects: the document is not of type Int")
        let tooLarge = await #expect(throws: NetError.self) { try await json.text(upTo: 2) }
        #expect(tooLarge?.code == .bodyTooLarge)
        var led = json
        led.trail = RedirectTrail(
            history: [Redirect(status: 301, url: "u")],
            head: HTTPRequest(method: .get, scheme: "https", authority: "b.test", path: "/"),
            fragment: "f")
        #expect(led.history.map(\.description) == ["301 u"])
    }

    @Test func remarksAreKeptOnce() {
        let plain = response(ResponseBody())
        #expect(!plain.isUnsent)
        #expect(plain.noting(nil).remark == nil)
        #expect(plain.noting("n").remark?.note == "n")
        #expect(plain.noting("n").noting("m").remark?.note == "n")
        var unsent = plain
        unsent.remark = ResponseRemark(insteadOf: NetError(.dns, phase: .resolving, message: "m"))
        #expect(unsent.isUnsent)
        #expect(unsent.noting("n").remark?.note == nil)
        let error = NetError(.dns, phase: .resolving, message: "m", elapsed: .seconds(1))
        #expect(error.noting(nil).message == "m")
        #expect(error.noting("n").message == "m; n")
        #expect(error.noting("n").elapsed == .seconds(1))
    }

    @Test func aResponseKnowsWhereItCameFrom() {
        let summary = CallSummary(id: CallID(high: 1, low: 2), method: .get, url: "u", attempt: 3)
        func made(_ location: String?, _ request: PreparedRequest?) -> Response<Int> {
            Response(
                value: 1, head: ResponseHead(status: .created, headers: location.map { [.location: $0] } ?? [:]),
                call: summary, request: request)
        }
        #expect(made(nil, nil).url == nil)
        #expect(made(nil, nil).location == nil)
        #expect(made("/x", nil).location == nil)
        #expect(made("https://h/x", nil).location == "https://h/x")
        #expect(made("x", .test("/a/b")).location == "https://a.test/a/x")
        #expect(made(nil, .test("/a")).url == "https://a.test/a")
        #expect(made(nil, .test { $0.absoluteURL = "https://a.test/#a b" }).url == "https://a.test/#a%20b")
        #expect(made(nil, nil).attempts == 3)
        #expect(made(nil, nil).status == .created)
        #expect(made(nil, nil).description == "HTTP/? 201 Created (GET u, attempt 3): 1")
        let trail = RedirectTrail(
            history: [Redirect(status: 301, url: "u")],
            head: HTTPRequest(method: .get, scheme: "https", authority: "b.test", path: "/y"), fragment: "f")
        let led = Response(
            value: 1, head: ResponseHead(status: .ok), call: summary, attempts: 0, request: .test(), trail: trail)
        #expect(led.url == "https://b.test/y#f")
        #expect(led.history.count == 1)
        #expect(
            Response(
                value: 1, head: ResponseHead(status: .ok), call: summary, attempts: 3, request: .test(), trail: nil
            ).history
                .isEmpty)
    }

    @Test func statusesAreValidated() {
        for (validation, accepted) in [
            (StatusValidation.success, [200, 204, 299]), (.successOrRedirect, [200, 204, 299, 300, 304, 399]),
            (.successOrNotModified, [200, 204, 299, 304]),
            (.noContent, [204]), (.any, [100, 199, 200, 204, 299, 300, 304, 399, 400]),
            (.range(199...204), [199, 200, 204]), (.range(199..<204), [199, 200]),
            (.codes([400]), [400]),
        ] {
            #expect([100, 199, 200, 204, 299, 300, 304, 399, 400].filter(validation.isAcceptable) == accepted)
        }
    }

    @Test func serializersAreMappedAndChosen() throws {
        let head = ResponseHead(status: .ok)
        func convert<Value>(_ serializer: ResponseSerializer<Value>, _ text: String = "[1]", status: Int = 200) throws
            -> Value
        {
            try serializer.convert(ResponseHead(status: .init(code: status)), Bytes(text.utf8), SerializationContext())
        }
        #expect(try convert(ResponseSerializer<Bytes>.bytes.map(\.count)) == 3)
        #expect(try convert(ResponseSerializer<Void>.discard.map { 7 }) == 7)
        #expect(try convert(ResponseSerializer<ResponseBody>.body.map { $0.whole?.count ?? 0 }) == 3)
        let chosen = ResponseSerializer<[Int]>.byHead(accept: "a/b") {
            $0.status == .ok ? .json : .json.map { $0 + [9] }
        }
        #expect(try convert(chosen) == [1])
        #expect(try convert(chosen, status: 201) == [1, 9])
        #expect(chosen.accept == "a/b")
        #expect(try convert(chosen.map(\.count), status: 201) == 2)
        #expect(chosen.map(\.count).accept == "a/b")
        #expect(try chosen.resolved(for: head).accept == "application/json")
        let some = ResponseSerializer<[Int]>.json.on(200, 201)
        #expect(try convert(some, status: 201) == [1])
        #expect(some.accept == "application/json")
        let error = #expect(throws: UndeclaredResponse.self) { try convert(some, status: 202) }
        #expect(error?.status == 202)
        #expect(error?.description == "the request declares no response for status 202")
        #expect(try convert(ResponseSerializer<Int?>.byType, "") == nil)
        #expect(try convert(ResponseSerializer<String?>.byType, "") == nil)
        #expect(try convert(ResponseSerializer<Data?>.byType, "") == nil)
        #expect(try convert(ResponseSerializer<String?>.byType, "x") == "x")
        #expect(try convert(ResponseSerializer<Data?>.byType, "x") == Data("x".utf8))
        #expect(try convert(ResponseSerializer<String>.byType, "x") == "x")
        #expect(throws: DecodingError.self) { try convert(ResponseSerializer<Int>.byType, "") }
        try convert(ResponseSerializer<Void>.empty, "")
        #expect(throws: UnexpectedContent.self) { try convert(ResponseSerializer<Void>.empty, "x") }
        #expect(
            UnexpectedContent(count: 3).description
                == "the body should be empty and has 3 bytes; use .discard to ignore them")
        #expect(throws: UnreadableText.self) { try convert(ResponseSerializer<String>.string(charset: .ascii), "é") }
        #expect(try convert(ResponseSerializer<String>.string(fallback: .latin1), "é") == "Ã©")
        #expect(UnreadableText.invalid("x").description.hasPrefix("the body is not valid x"))
    }

    @Test func metricsAreDescribed() {
        var metrics = TransferMetrics(total: .seconds(2), requestBytes: 3, responseBytes: 4, version: "2")
        #expect(metrics.description == "HTTP/2, new connection, 3 B sent, 4 B received, total 2.000 s")
        metrics.isReused = true
        metrics.remoteAddress = "1.2.3.4"
        metrics.firstByte = .seconds(1)
        metrics.version = ""
        #expect(
            metrics.description
                == "reused connection to 1.2.3.4, 3 B sent, 4 B received, first byte after 1.000 s, total 2.000 s")
        let all: [(WritableKeyPath<TransferMetrics, Duration?>, TransferMetrics.Phase)] = [
            (\.queued, .queued), (\.resolved, .resolved), (\.connected, .connected), (\.secured, .secured),
            (\.requestStarted, .requestStarted), (\.requestSent, .requestSent), (\.firstByte, .firstByte),
        ]
        var other = TransferMetrics(nanoseconds: 5, responseBytes: 0, version: "")
        #expect(other.requestBytes == 0)
        #expect(!other.isReused)
        #expect(other.total == .nanoseconds(5))
        for (path, phase) in all {
            #expect(other[keyPath: path] == nil)
            other.set(phase, microseconds: 7)
            #expect(other[keyPath: path] == .microseconds(7))
            other.set(phase, microseconds: 1)
            #expect(other[keyPath: path] == .microseconds(1))
            other.set(phase, microseconds: 0)
            #expect(other[keyPath: path] == nil)
            other[keyPath: path] = .zero
            #expect(other[keyPath: path] == .zero)
            other[keyPath: path] = .seconds(-1)
            #expect(other[keyPath: path] == .zero)
            other[keyPath: path] = nil
            #expect(other[keyPath: path] == nil)
        }
        #expect(other.phases.all.isEmpty)
        (other.queued, other.resolved, other.connected) = (.seconds(1), .seconds(3), .seconds(6))
        (other.secured, other.requestSent, other.firstByte, other.total) = (
            .seconds(10), .seconds(15), .seconds(21), .seconds(28)
        )
        #expect(other.phases.all.map(\.name) == ["queued", "lookup", "connect", "secure", "waiting", "download"])
        #expect(other.phases.all.map(\.time) == [1, 2, 3, 4, 6, 7].map { .seconds($0) })
        (other.requestSent, other.secured, other.total) = (nil, nil, .zero)
        #expect(other.phases.waiting == .seconds(15))
        #expect(other.phases.download == .zero)
        #expect(other.phases.secure == nil)
    }
}
