import Foundation
import HTTPTypes
import Testing

@testable import NetCore

@Suite struct RequestEdgesTests {
    private let builder = RequestBuilder(
        baseURL: "https://a.test/v1", defaultHeaders: [.userAgent: "x"], coding: .standard,
        contentCodings: ["gzip", "br"])

    private func message(_ request: some APIRequest) -> String? {
        do throws(NetError) {
            _ = try builder.prepare(request)
            return nil
        } catch {
            return error.code == .invalidRequest && error.phase == .preparing ? error.message : "\(error)"
        }
    }

    @Test func codingsAreAcceptedUnlessThereIsARange() throws {
        func accepted(_ headers: HTTPFields = [:], decodes: Bool = true) throws -> String? {
            let options = RequestOptions { $0.decodesContent = decodes }
            return try builder.prepare(Request<Bytes>("x", headers: headers, options: options)).head.headerFields[
                .acceptEncoding]
        }
        #expect(try accepted() == "gzip, br")
        #expect(try accepted(decodes: false) == nil)
        #expect(try accepted([.range: "bytes=0-1"]) == nil)
        #expect(try accepted([.acceptEncoding: "own"]) == "own")
        #expect(RequestBuilder(baseURL: nil, defaultHeaders: [:], coding: .standard).acceptEncoding == nil)
    }

    @Test func invalidRequestsAreRejected() {
        #expect(
            message(Request<Bytes>("x", method: .connect))?.hasPrefix("CONNECT isn't supported for requests") == true)
        for method in [HTTPRequest.Method.head, .trace] {
            #expect(
                message(Request<Bytes>("x", method: method, body: .text("a")))?.hasPrefix(
                    "a \(method.rawValue) request can't have a body") == true)
            #expect(message(Request<Bytes>("x", method: method)) == nil)
        }
        for (key, isSent) in [("k", true), ("", false), (" k", false), ("a\n", false)] {
            #expect((message(Request<Bytes>("x", options: RequestOptions(idempotencyKey: key))) == nil) == isSent)
        }
        #expect(
            message(Request<Bytes>("x", headers: ["a b": "1"]))?.hasPrefix("\"a b\" isn't the name of a header") == true
        )
        #expect(
            message(Request<Bytes>(url: "ws://a.test"))?.hasPrefix("a ws or wss URL opens a WebSocket")
                == true)
        #expect(
            message(HandshakeRequest(WebSocketRequest(url: "ws://a.test/x#f")))?.hasPrefix(
                "a WebSocket URL can't have a fragment") == true)
        #expect(
            message(HandshakeRequest(WebSocketRequest("x", subprotocols: ["a b"])))?.hasPrefix(
                "the subprotocol \"a b\"") == true)
        #expect(message(HandshakeRequest(WebSocketRequest(url: "ws://a.test/x"))) == nil)
        #expect(
            message(Request<Bytes>("x", query: [QueryItem("a", "b c", isEncoded: true)]))?.hasPrefix(
                "the path or query has the byte 0x20") == true)
    }

    @Test func versionsStandBeforeThePath() throws {
        func path(_ version: String?, _ path: Path = "x") throws -> String? {
            try builder.prepare(Request<Bytes>(path, options: RequestOptions(apiVersion: version))).head.path
        }
        #expect(try path(nil) == "/v1/x")
        #expect(try path("2") == "/v1/2/x")
        #expect(try path("//a b//") == "/v1/a%20b/x")
        #expect(try path("2", "") == "/v1/2")
        #expect(try path(nil, "") == "/v1")
        #expect(throws: NetError.self) { try path("..") }
        #expect(throws: NetError.self) { try path("/") }
    }

    @Test func optionsKeepWhatTheyAreGiven() {
        var options = RequestOptions()
        #expect(!options.replacesMiddleware)
        #expect(!options.usesOwnConnection)
        #expect(!options.isHostSecured)
        #expect(options.cachePolicy == .default)
        #expect(options.retry == nil)
        #expect(options.maximumResponseBytes == 64 << 20)
        #expect(options.decodesContent)
        #expect(!options.verifiesDigests)
        #expect(!options.sendsCredentialsToOtherOrigins)
        #expect(options.priority == .normal)
        let copy = options
        (options.replacesMiddleware, options.usesOwnConnection, options.isHostSecured) = (true, true, true)
        #expect(options.replacesMiddleware)
        #expect(options.usesOwnConnection)
        #expect(options.isHostSecured)
        #expect(!copy.replacesMiddleware)
        let made = RequestOptions(
            apiVersion: "v", absoluteURL: "u", timeouts: .total(.seconds(1)), idempotencyKey: "k", retry: .always,
            priority: .high, cachePolicy: .reload,
            redirects: .manual, maximumResponseBytes: 5)
        #expect(made.apiVersion == "v")
        #expect(made.absoluteURL == "u")
        #expect(made.timeouts?.total == .seconds(1))
        #expect(made.idempotencyKey == "k")
        #expect(made.retry == .always)
        #expect(made.priority == .high)
        #expect(made.cachePolicy == .reload)
        #expect(made.redirects == .manual)
        #expect(made.maximumResponseBytes == 5)
        #expect(RequestOptions(priority: .low).maximumResponseBytes == 64 << 20)
        #expect([RequestPriority.critical, .low, .high, .normal].sorted() == [.low, .normal, .high, .critical])
        #expect(RequestPriority.low.rawValue == -1)
    }

    @Test func credentialsExpire() throws {
        let date = Date(timeIntervalSince1970: 100)
        let credential = try Credential.bearer("t", expires: date)
        #expect(credential.expires(of: date))
        #expect(!credential.expires(of: date.addingTimeInterval(-1)))
        #expect(credential.expires(within: .seconds(1), of: date.addingTimeInterval(-1)))
        #expect(!credential.expires(within: .seconds(1), of: date.addingTimeInterval(-1.5)))
        #expect(credential.expires(of: date.addingTimeInterval(1)))
        #expect(try !Credential.apiKey("k").expires(within: .seconds(99), of: date))
        #expect(try Credential.apiKey("k").header.canonicalName == "x-api-key")
        for value in ["", " a", "a\n"] { #expect(throws: NetError.self) { try Credential(.authorization, value) } }
        #expect(throws: NetError.self) { try Credential.apiKey("k", header: "a b") }
        #expect(try Credential.basic(user: "u", password: "p").value == "Basic dTpw")
        #expect(credential.description == "authorization: <redacted>")
    }

    @Test func timeoutsAreInheritedOneByOne() {
        let standard = Timeouts()
        #expect(standard.connect == .seconds(10))
        #expect(standard.firstByte == .seconds(30))
        #expect(standard.stall == .seconds(30))
        #expect(standard.total == nil)
        #expect(!standard.setsSilence)
        let outer = Timeouts(connect: .seconds(1), firstByte: .seconds(2), stall: .seconds(3), total: .seconds(4))
        #expect(standard.overridden(by: outer) == outer)
        #expect(outer.overridden(by: standard) == outer)
        #expect(outer.overridden(by: nil) == outer)
        #expect(outer.overridden(by: Timeouts(connect: nil)).connect == nil)
        #expect(outer.overridden(by: Timeouts(connect: nil)).total == .seconds(4))
        #expect(outer.overridden(by: Timeouts(firstByte: .seconds(9))).firstByte == .seconds(9))
        #expect(outer.overridden(by: Timeouts(stall: .seconds(9))).stall == .seconds(9))
        #expect(outer.overridden(by: .total(.seconds(9))).total == .seconds(9))
        #expect(Timeouts(connect: .seconds(-1)).connect == .zero)
        #expect(Timeouts(firstByte: .seconds(1)).setsSilence)
        #expect(Timeouts(stall: .seconds(1)).setsSilence)
        #expect(!Timeouts(connect: .seconds(1), total: .seconds(1)).setsSilence)
        for other in [
            Timeouts(connect: .seconds(1)), Timeouts(firstByte: .seconds(1)), Timeouts(stall: .seconds(1)),
            .total(.seconds(1)),
        ] { #expect(other != standard) }
        var changed = outer
        changed.connect = Timeouts.inherited
        #expect(changed.connect == .seconds(10))
        #expect(outer.overridden(by: changed).connect == .seconds(1))
    }

    @Test func textsAreCutAtWholeCharacters() {
        for (limit, text) in [
            (-1, ""), (0, ""), (1, "a"), (2, "a"), (3, "aé"), (4, "aé"), (6, "aé"), (7, "aé😀"), (9, "aé😀"),
        ] { #expect("aé😀".prefix(upToBytes: limit) == text) }
        let request = PreparedRequest.test(
            "/" + String(repeating: "p", count: 50), method: .post, headers: ["X-A": "1", "X-B": "2"],
            body: .bytes(Bytes("body".utf8)))
        #expect(!request.curl(.compact).contains("# cut"))
        #expect(request.curl(.compact, maximumBytes: 10).contains("# cut: 10 of 65 bytes of the URL"))
        #expect(request.curl(.compact, maximumBytes: 0).contains("without 2 fields"))
        #expect(request.curl(.compact, maximumBytes: 0).contains("0 of 4 bytes of the body"))
        #expect(request.curl(.compact, maximumBytes: 70).contains("without 2 fields"))
    }

    @Test func requestsAreComparedByTheirOrigin() {
        let request = PreparedRequest.test()
        #expect(request.isSameOrigin(as: "https://a.test/x"))
        #expect(request.isSameOrigin(as: "https://A.test:443"))
        #expect(!request.isSameOrigin(as: "http://a.test"))
        #expect(!request.isSameOrigin(as: "https://b.test"))
        #expect(request.bodyLength == 0)
        #expect(PreparedRequest.test(body: .bytes([1, 2])).bodyLength == 2)
        #expect(request.isReplayable)
        let stream = PreparedRequest.test(body: .stream(length: 7, isReplayable: false) { HeldSource() })
        #expect(stream.bodyLength == 7)
        #expect(!stream.isReplayable)
        #expect(!stream.announcesTrailers)
        let trailed = PreparedRequest.test(
            headers: [.trailer: "x"], body: .stream(length: nil, isReplayable: true) { HeldSource() })
        #expect(trailed.announcesTrailers)
        #expect(trailed.isReplayable)
        #expect(!PreparedRequest.test(headers: [.trailer: "x"]).announcesTrailers)
        #expect(Request<Bytes>("x", query: [QueryItem("token", "s")]).description == "GET x?token=<redacted>")
        #expect(Request<Bytes>(url: "https://h/?a=1", query: ["b": 2]).description == "GET https://h/?a=1&b=2")
        #expect(request.unsent(.safeDefault).url == "https://a.test/")
        #expect(Request<Bytes>("x").unsent().id == CallID(high: 0, low: 0))
        #expect(request.unsent(.safeDefault).id == CallID(high: 0, low: 0))
        #expect(RequestMetadata(name: "n").displayName == "n")
        #expect(RequestMetadata(operationID: "o").displayName == "o")
        #expect(RequestMetadata(name: "n", operationID: "o").operationName == "o")
        #expect(RequestMetadata(name: "n").operationName == "n")
    }
}
