import Foundation
import HTTPTypes
import Testing

@testable import NetCore

@Suite struct ErrorEdgesTests {
    private let summary = CallSummary(id: CallID(high: 1, low: 2), method: .get, url: "u", operation: "o", attempt: 3)

    private func described(_ text: String, _ headers: HTTPFields = [:], status: Int = 200) -> String {
        let head = ResponseHead(status: .init(code: status), headers: headers)
        do {
            return try "\(JSONCoding.standard.decode([Int].self, from: Bytes(text.utf8)))"
        } catch {
            return DecodingFailure.describe(error, head: head, body: Bytes(text.utf8))
        }
    }

    @Test func aBodyThatIsNoJSONIsDescribedByItsHead() {
        let no = "it is not valid JSON: this isn't a valid JSON value (byte 0)"
        #expect(described("", status: 204) == "the body is empty (status 204)")
        #expect(described("<a>") == no)
        #expect(described("<a>", [.contentType: "application/json"]) == no)
        #expect(described("<a>", [.contentEncoding: "gzip"]) == no)
        #expect(
            described("<a>", [.contentType: "text/html; x=y"])
                == "the body is text/html and not valid JSON, or a number in it does not fit its type")
        #expect(
            described("<a>", [.contentEncoding: "X-Own"])
                == "the body is not valid JSON, or a number in it does not fit its type; "
                + "it has the Content-Encoding x-own, which may not be supported here"
        )
        for (coding, isShown) in [
            ("a123456789012345", true), ("a1234567890123456", false), ("a b", false), ("é", false), ("a-1", true),
            ("deflate", false), ("identity", false), ("x-gzip", false),
        ] {
            #expect(described("<a>", [.contentEncoding: coding]).contains("Content-Encoding") == isShown, "\(coding)")
        }
        #expect(described("[\"x\"]", [.contentType: "text/html"]) == "$[0] is not of type Int")
        #expect(described("{}", [.contentType: "text/html"]) == "the document is not of type Array<Any>")
        #expect(
            described(String(repeating: "[", count: 600), [.contentType: "text/html"]).hasPrefix(
                "arrays and objects nest deeper"))
        #expect(described("[1.5]", [.contentType: "text/html"]) == "$[0] holds a number that does not fit its type")
        #expect(described("1e999") != "")
    }

    @Test func errorsOfDecodersNameTheirPlace() {
        func context(_ names: [String], underlying: (any Error)? = nil) -> DecodingError.Context {
            .init(codingPath: names.map { JSONKey($0) }, debugDescription: "SECRET", underlyingError: underlying)
        }
        #expect(
            DecodingFailure.describe(DecodingError.typeMismatch(Int.self, context(["a", "b"])))
                == "$.a.b is not of type Int")
        #expect(
            DecodingFailure.describe(DecodingError.valueNotFound(Int.self, context([])))
                == "the document is null or missing, expected Int")
        #expect(
            DecodingFailure.describe(DecodingError.keyNotFound(JSONKey("k"), context(["a"])))
                == "$.a has no member \"k\"")
        #expect(
            DecodingFailure.describe(DecodingError.dataCorrupted(context([])))
                == "it is not valid JSON, or a number in it does not fit its type")
        #expect(
            DecodingFailure.describe(DecodingError.dataCorrupted(context(["a"])))
                == "$.a contains a value that its type doesn't accept")
        #expect(
            DecodingFailure.describe(
                DecodingError.dataCorrupted(context(["a"], underlying: DecodingFailure.Reason(description: "is odd"))))
                == "$.a is odd")
        #expect(DecodingFailure.describe(CancellationError()) == "it was cancelled")
    }

    @Test func errorsAreToldApart() {
        func error(_ code: NetError.Code, underlying: (any Error)? = nil) -> NetError {
            NetError(code, phase: .waiting, message: "m", underlying: underlying)
        }
        let codes: [NetError.Code] = [
            .timeout, .cancelled, .dns, .connect, .connectionLost, .authentication, .notCached, .tls,
        ]
        #expect(codes.map { error($0).isTimeout } == [true] + Array(repeating: false, count: 7))
        #expect(codes.map { error($0).isCancellation } == [false, true] + Array(repeating: false, count: 6))
        #expect(codes.map { error($0).isConnectivity } == [false, false, true, true, true, false, false, false])
        #expect(codes.map { error($0).isAuthentication } == [false, false, false, false, false, true, false, false])
        #expect(codes.map { error($0).isNotCached } == [false, false, false, false, false, false, true, false])
        let failed = codes.map { APIError<String>.failed(error($0)) }
        #expect(failed.map(\.isTimeout) == codes.map { $0 == .timeout })
        #expect(failed.map(\.isCancellation) == codes.map { $0 == .cancelled })
        #expect(failed.map(\.isConnectivity) == codes.map { [.dns, .connect, .connectionLost].contains($0) })
        #expect(failed.allSatisfy { $0.attempt == nil && $0.status == nil })
        let rejected = APIError<String>.rejected(
            "no",
            RejectedResponse(head: ResponseHead(status: .notFound), call: summary, elapsed: .seconds(1), note: "n"))
        #expect(!rejected.isTimeout)
        #expect(!rejected.isCancellation)
        #expect(!rejected.isConnectivity)
        #expect(rejected.attempt == 3)
        #expect(rejected.status == 404)
        #expect(rejected.netError == nil)
        #expect(rejected.rejection?.failure == "no")
        #expect(rejected.description == "rejected with status 404; n (GET u, o, attempt 3, after 1.000 s)")
        #expect(failed[0].description == "timeout while waiting: m")
        #expect(failed[0].rejection == nil)
        let open = OpenCircuit(origin: "o", trip: .init(failures: 3, calls: 4), wait: .seconds(1))
        #expect(error(.limited, underlying: open).isCircuitOpen)
        #expect(!error(.limited).isCircuitOpen)
        #expect(open.description == "the circuit of o is open: 3 of its last 4 calls failed")
        for (count, text) in [
            (1, ", and so did the call that tried it again"), (2, ", and so did the 2 calls that tried it again"),
        ] {
            #expect(
                OpenCircuit(origin: "o", trip: .init(failures: 3, calls: 4, failedProbes: count), wait: .zero)
                    .description.hasSuffix("4 calls failed" + text))
        }
    }

    @Test func aRefusalOfAnotherCallIsAnError() throws {
        let head = ResponseHead(status: .conflict)
        let rejected = APIError<String>.rejected(
            "no", RejectedResponse(head: head, body: [1, 2], call: summary, elapsed: .seconds(1)))
        let error = try #require(NetError(rejected))
        #expect(error.code == .unacceptableStatus)
        #expect(error.phase == .validating)
        #expect(error.call == summary)
        #expect(error.elapsed == .seconds(1))
        #expect(error.message == "the server responded with status 409, a failure that the request declares")
        #expect(error.response?.body == [1, 2])
        let other = CallSummary(id: CallID(high: 9, low: 9), method: .put, url: "v")
        let nested = error.belonging(to: other, elapsed: .seconds(5), by: "X")
        #expect(nested.message.hasSuffix(", in a call that X made (GET u)"))
        #expect(nested.call == other)
        #expect(nested.elapsed == .seconds(5))
        #expect(nested.underlying is APIError<String>)
        let named = error.naming(other)
        #expect(named.message.hasSuffix(", in a call that this one made (GET u)"))
        #expect(named.call == other)
        #expect(error.naming(summary).message == error.message)
        let bare = NetError(.dns, phase: .resolving, message: "m")
        #expect(bare.naming(other).call == other)
        #expect(bare.naming(other).elapsed == nil)
        #expect(bare.belonging(to: other, elapsed: .seconds(2)).elapsed == .seconds(2))
        let half = NetError(.dns, phase: .resolving, message: "m", call: summary)
        #expect(half.filling(call: other, elapsed: .seconds(2)).call == summary)
        #expect(half.filling(call: other, elapsed: .seconds(2)).elapsed == .seconds(2))
        #expect(error.filling(call: other, elapsed: .seconds(9)).elapsed == .seconds(1))
        #expect(NetError(CancellationError()) == nil)
        #expect(NetError(APIError<Never>.failed(bare))?.code == .dns)
        #expect(half.description == "dns while resolving: m (GET u, o, attempt 3)")
        #expect(error.description.hasSuffix("(GET u, o, attempt 3, after 1.000 s)"))
    }

    @Test func problemsAreOneLine() throws {
        func clause(_ title: String?, _ detail: String?) throws -> String? {
            let body = try JSONCoding.standard.encode(ProblemDetails(title: title, detail: detail))
            return ProblemDetails.clause(
                ResponseHead(status: .badRequest, headers: [.contentType: "application/problem+json"]), body)
        }
        #expect(try clause("a", "b\n c") == "a: b c")
        #expect(try clause("a", nil) == "a")
        #expect(try clause(nil, nil) == nil)
        #expect(try clause(" ", "\n") == ":")
        #expect(try clause("", nil) == nil)
        let long = String(repeating: "x", count: 300)
        #expect(try clause(long, nil) == long)
        #expect(try clause(long + "x", nil) == long.dropLast() + "…")
        #expect(ProblemDetails.clause(ResponseHead(status: .ok), []) == nil)
        let xml = ResponseHead(status: .badRequest, headers: [.contentType: "application/problem+xml"])
        let error = #expect(throws: NetError.self) { try ProblemDetails(head: xml, body: [1]) }
        #expect(error?.code == .unsupported)
        #expect(error?.response?.body == [1])
        let details = ProblemDetails(type: "t", title: "a", status: 4, detail: "b", instance: "i", extensions: ["x": 1])
        #expect(
            try JSONCoding.standard.decode(ProblemDetails.self, from: JSONCoding.standard.encode(details)) == details)
        #expect(
            try JSONCoding.standard.decode(ProblemDetails.self, from: Bytes(#"{"type":1,"status":"x","title":2}"#.utf8))
                == ProblemDetails())
    }

    @Test func theTextOfABodyMayBeCut() {
        func text(_ count: Int, _ tail: [UInt8], _ headers: HTTPFields = [:]) -> Int? {
            let body = Bytes([UInt8](repeating: 0x61, count: count) + tail)
            return RejectedResponse(head: ResponseHead(status: .ok, headers: headers), body: body).text?.utf8.count
        }
        #expect(text(65_535, [0xc3]) == 65_535)
        #expect(text(65_534, [0xe2, 0x82]) == 65_534)
        #expect(text(65_533, [0xf0, 0x9f, 0x98]) == 65_533)
        #expect(text(65_534, [0xc3]) == nil)
        #expect(text(65_536, [0xff, 0xff, 0xff, 0xff]) == nil)
        #expect(text(3, [0xc3, 0xa9]) == 5)
        #expect(text(0, [0xe9], [.contentType: "a/b; charset=latin1"]) == 2)
        #expect(text(0, [0xc3, 0xa9], [.contentType: "a/b; charset=ascii"]) == 2)
        let long = NetError.FailedResponse(
            head: ResponseHead(status: .ok), body: Bytes([UInt8](repeating: 1, count: 65_537)))
        #expect(long.body.count == 65_536)
        #expect(
            NetError.FailedResponse(
                head: ResponseHead(status: .ok), body: Bytes([UInt8](repeating: 1, count: 65_536))
            ).body.count == 65_536)
    }

    @Test func foreignErrorsAreNamedWithoutTheirValues() {
        enum Kind: Error {
            case plain
            case secret(String)
        }
        struct Empty: Error {}
        struct Full: Error { let secret = "SECRET" }
        #expect(ErrorSummary.describe(Kind.plain) == "plain")
        #expect(ErrorSummary.describe(Kind.secret("SECRET")) == "Kind.secret")
        #expect(ErrorSummary.describe(Empty()) == "Empty()")
        #expect(ErrorSummary.describe(Full()) == "Full")
        #expect(
            ErrorSummary.describe(
                EncodingError.invalidValue(
                    Double.nan, .init(codingPath: [JSONKey("a"), JSONKey("b")], debugDescription: "")))
                == "the number is not finite (Double at a.b)")
        #expect(
            ErrorSummary.describe(EncodingError.invalidValue(1.5, .init(codingPath: [], debugDescription: "")))
                == "the value cannot be encoded (Double at the top)")
        #expect(ErrorSummary.describe(CancellationError()) == "it was cancelled")
    }

    @Test func valuesAreRedactedInside() {
        let value: JSONValue = ["token": "s", "a": [["pin": 1], "https://u:p@h/", "x"], "b": true]
        #expect(
            value.redacted(by: .safeDefault) == [
                "token": "<redacted>", "a": [["pin": "<redacted>"], "https://<redacted>@h/", "x"], "b": true,
            ])
        #expect(
            value.description
                == #"{"a":[{"pin":"<redacted>"},"https://<redacted>@h/","x"],"b":true,"token":"<redacted>"}"#)
    }
}
