import Foundation
import HTTPTypes
import NetTesting
import TestSupport
import Testing

@testable import NetCore

@Suite(.timeLimit(.minutes(1))) struct CaptureEdgesTests {
    @Test func aHandshakeIsCapturedAsAWebSocket() {
        func request(_ scheme: String, _ options: WebSocketOptions? = nil) -> CapturedExchange.Request {
            var request = PreparedRequest.test("/x")
            request.head.scheme = scheme
            request.options.webSocket = options
            return CapturedExchange.Request(handshake: request)
        }
        #expect(request("http").url == "ws://a.test/x")
        #expect(request("https").url == "wss://a.test/x")
        #expect(request("wss").url == "wss://a.test/x")
        #expect(request("HTTPS").url == "wsS://a.test/x")
        #expect(request("http").headers.isEmpty)
        #expect(
            request("http", WebSocketOptions(subprotocols: ["a"], secretSubprotocol: "b")).headers == [
                .secWebSocketProtocol: "a, b"
            ])
        let own = CapturedExchange.Request(handshake: .test(), WebSocketOptions(subprotocols: ["c"]))
        #expect(own.headers[.secWebSocketProtocol] == "c")
        for (url, isHandshake) in [("ws://h", true), ("WSS://h", true), ("https://h", false), ("wsx://h", false)] {
            let exchange = CapturedExchange(
                recordedAt: .init(timeIntervalSince1970: 0), duration: .zero, request: .init(method: .get, url: url),
                outcome: .failure(.init(code: "c", message: "m")))
            #expect(exchange.isHandshake == isHandshake)
            #expect(exchange.socket == nil)
            #expect(exchange.failure?.code == "c")
            #expect(exchange.response == nil)
        }
    }

    @Test func exchangesAreEqualWhereWhatWasSentIs() {
        func exchange(
            _ second: Double = 0, duration: Duration = .zero, url: String = "u", code: String = "c",
            metrics: TransferMetrics? = nil
        ) -> CapturedExchange {
            CapturedExchange(
                recordedAt: .init(timeIntervalSince1970: second), duration: duration,
                request: .init(method: .get, url: url), outcome: .failure(.init(code: code, message: "m")),
                metrics: metrics)
        }
        #expect(exchange() == exchange(metrics: TransferMetrics(total: .zero)))
        #expect(exchange().hashValue == exchange(metrics: TransferMetrics(total: .zero)).hashValue)
        for other in [exchange(1), exchange(duration: .seconds(1)), exchange(url: "v"), exchange(code: "d")] {
            #expect(exchange() != other)
        }
    }

    @Test func bodiesKnowWhatTheyAre() {
        #expect(CapturedBody().isAbsent)
        #expect(!CapturedBody([1]).isAbsent)
        #expect(!CapturedBody(pieces: [], isCut: true).isAbsent)
        #expect(!CapturedBody(pieces: [], failure: .init(code: "c", message: "m")).isAbsent)
        let timed = CapturedBody(pieces: [.init([1], after: .seconds(1))])
        #expect(timed.isTimed)
        #expect(CapturedBody(pieces: [.init([1]), .init([2])]).isTimed)
        #expect(!CapturedBody([1]).isTimed)
        #expect(!CapturedBody().isTimed)
        #expect(CapturedBody([1, 2]).count == 2)
        #expect(CapturedBody(pieces: [], passed: 9).count == 9)
        #expect(CapturedBody(pieces: [.init([1]), .init([2])]).bytes == [1, 2])
        let without = CapturedBody(pieces: [.init([1])], passed: 9).withoutBytes
        #expect(without.isCut)
        #expect(without.keptCount == 0)
        #expect(without.count == 9)
        #expect(CapturedBody().withoutBytes == CapturedBody())
    }

    @Test(
        arguments: [
            ([0x1f, 0x8b], "br", true), ([0x1f, 0x8b], "gzip", true), ([0x1f, 0x8c], "gzip", false),
            ([0x41, 0x42], "x-gzip", false), ([0x41], "br", false), ([], "br", false), ([0x78, 0x9c], "deflate", true),
            ([0x78, 0x9d], "deflate", false), ([0x79, 0x9c], "deflate", false), ([0x68, 0x81], "Deflate", true),
            ([0x41, 0x42], "br", false), ([0x41, 0xff], "br", true), ([0xc3, 0xa9], "zstd", false),
            ([0x41, 0xc3], "zstd", true), ([0x1e, 0x8b], "br", true),
        ] as [([UInt8], String, Bool)])
    func bytesAreCodedOrNot(_ bytes: [UInt8], _ coding: String, _ isCoded: Bool) {
        #expect(CapturedBody(Bytes(bytes)).isCoded(coding) == isCoded)
    }

    @Test func aCutMayLieWithinACharacter() {
        func isCoded(_ bytes: [UInt8]) -> Bool {
            CapturedBody(pieces: [.init(Bytes(bytes))], isCut: true).isCoded("br")
        }
        #expect(!isCoded([0x41, 0xc3]))
        #expect(!isCoded([0x41, 0xf0, 0x9f, 0x98]))
        #expect(isCoded([0x41, 0xff, 0x41]))
        #expect(isCoded([0x80, 0x80, 0x80, 0x80, 0x80]))
        #expect(!isCoded([0x41, 0xc3, 0xa9]))
        #expect(isCoded([0xff, 0x41, 0xc3]))
        var response = CapturedExchange.Response(
            status: .ok, headers: [.contentEncoding: "br"], body: CapturedBody([0x41, 0x42]))
        response.dropDecodedCoding()
        #expect(response.headers[.contentEncoding] == nil)
        var coded = CapturedExchange.Response(
            status: .ok, headers: [.contentEncoding: "br"], body: CapturedBody([0x41, 0xff]))
        coded.dropDecodedCoding()
        #expect(coded.headers[.contentEncoding] == "br")
        #expect(coded.body.readable(coded.headers).isCut)
        #expect(!coded.body.readable([:]).isCut)
        #expect(!coded.body.readable([.contentEncoding: "Identity"]).isCut)
        #expect(!CapturedBody().readable(coded.headers).isCut)
        var empty = CapturedExchange.Response(status: .ok, headers: [.contentEncoding: "br"])
        empty.dropDecodedCoding()
        #expect(empty.headers[.contentEncoding] == "br")
    }

    @Test func typesAreKeptByTheirNames() {
        let standard = CaptureLimits()
        #expect(standard.bodyBytes == 65_536)
        for (type, isKept) in [
            ("text/html", true), ("TEXT/HTML ; x", true), ("application/json", true), ("application/json;x", true),
            ("application/json, text/x", true), ("a/b+json", true), ("a/b+xml", true), ("image/png", false),
            ("image/svg+xml", true), ("a+json/b", false), ("textx/a", false), ("text", false),
            ("application/JSON", true), ("\tapplication / json", true), ("image/png+", false),
        ] {
            #expect((standard.bytes(of: type) == 65_536) == isKept, "\(type)")
        }
        #expect(standard.bytes(of: nil) == 0)
        #expect(CaptureLimits(bodyBytes: 5, mediaTypes: ["*/*"]).bytes(of: nil) == 5)
        #expect(CaptureLimits(bodyBytes: 0, mediaTypes: ["*/*"]).bytes(of: nil) == 0)
        #expect(CaptureLimits(bodyBytes: 1, mediaTypes: ["a/b"]).bytes(of: "a/b") == 1)
        let union = CaptureLimits(bodyBytes: 5, mediaTypes: ["a/b"]).union(
            CaptureLimits(bodyBytes: 7, mediaTypes: ["c/d"]))
        #expect(union == CaptureLimits(bodyBytes: 7, mediaTypes: ["a/b", "c/d"]))
        #expect(CaptureLimits.none.bytes(of: "a/b") == 0)
    }

    @Test func aTapeKeepsTheBeginning() async {
        let clock = TestClock()
        let tape = BodyTape(limit: 5, timedBy: clock.netClock)
        tape.append(Bytes("abc".utf8))
        await clock.advance(by: .seconds(1))
        tape.append(Bytes("defg".utf8))
        await clock.advance(by: .seconds(1))
        tape.append(Bytes("h".utf8))
        let body = tape.body()
        #expect(body.pieces.map { String(decoding: $0.bytes, as: UTF8.self) } == ["abc", "de"])
        #expect(body.pieces.map(\.delay) == [.zero, .seconds(1)])
        #expect(body.isCut)
        #expect(body.count == 8)
        #expect(tape.count == 8)
        #expect(tape.keptCount == 5)
        tape.freeze()
        tape.append(Bytes("x".utf8))
        tape.start()
        tape.end()
        #expect(tape.count == 8)
        #expect(tape.body().isCut)
        let whole = BodyTape(limit: 5)
        whole.append(Bytes("abcde".utf8))
        #expect(!whole.body().isCut)
        #expect(whole.body().pieces.count == 1)
        #expect(BodyTape(limit: -1).body().keptCount == 0)
        whole.start()
        #expect(whole.body().isCut)
        #expect(whole.count == 0)
        whole.append(Bytes("x".utf8))
        whole.end()
        #expect(!whole.body().isCut)
        #expect(whole.body().text == "x")
        #expect(whole.body(failure: NetError(.dns, phase: .waiting, message: "m")).failure?.code == "dns")
    }

    @Test func aWholeBodyIsKeptToItsLimit() {
        func tape(_ count: Int, limit: Int, of total: Int64? = nil, capacity: Int? = nil) -> (Int, Bool, Int64, Bool) {
            let tape = BodyTape(limit: limit)
            let storage = ByteStorage(capacity: capacity ?? count)
            for index in 0..<count { storage.base.storeBytes(of: 1, toByteOffset: index, as: UInt8.self) }
            let bytes = Bytes(storage: storage, count: count)
            tape.append(whole: bytes, of: total)
            let body = tape.body()
            return (tape.keptCount, body.isCut, body.count, body.pieces.first?.bytes.storage === storage)
        }
        #expect(tape(3, limit: 3) == (3, false, 3, true))
        #expect(tape(4, limit: 3) == (3, true, 4, false))
        #expect(tape(3, limit: 3, of: 9) == (3, true, 9, true))
        #expect(tape(0, limit: 3).0 == 0)
        #expect(tape(3, limit: 0) == (0, true, 3, false))
        #expect(tape(2, limit: 5, of: 2) == (2, false, 2, true))
        // A small body doesn't keep a large buffer alive.
        #expect(tape(3, limit: 9, capacity: 256) == (3, false, 3, true))
        #expect(tape(3, limit: 9, capacity: 257) == (3, false, 3, false))
        #expect(tape(200, limit: 999, capacity: 400) == (200, false, 200, true))
        #expect(tape(200, limit: 999, capacity: 401) == (200, false, 200, false))
    }

    @Test func manyPiecesAreJoined() async {
        let clock = TestClock()
        let tape = BodyTape(limit: 100, timedBy: clock.netClock)
        for _ in 0..<70 { tape.append([65]) }
        #expect(tape.body().pieces.count == 64)
        #expect(tape.body().keptCount == 70)
        #expect(tape.body().pieces.last?.bytes.count == 7)
        let larger = BodyTape(limit: 1040, timedBy: clock.netClock)
        for _ in 0..<70 { larger.append([65]) }
        #expect(larger.body().pieces.count == 65)
    }

    @Test func anAttemptHasASize() async throws {
        let capture = CaptureLog()
        let request = PreparedRequest.test(
            "/path", method: .post, headers: [.contentType: "text/plain"], body: .bytes(Bytes("abc".utf8)))
        let context = CallContext.test(request, listeners: [capture])
        let next = Next(
            FunctionTransport { _, _ in
                StreamedResponse(
                    head: ResponseHead(status: .ok, headers: [.contentType: "text/plain"]),
                    body: ResponseBody(Bytes("de".utf8)))
            })
        _ = try await next(request, context)
        // 512 for itself, and for each header 64 plus the length of its text.
        let field = "Content-Type".utf8.count + "text/plain".utf8.count + 64
        #expect(capture.attempts.first?.size == 5 + field + 3 + 512 + 2 + field)
        #expect(capture.attempts.first?.description == "call \(context.id), attempt 1")
        let failing = Next(
            FunctionTransport { (_, _) throws(NetError) in throw NetError(.dns, phase: .resolving, message: "m") })
        _ = try? await failing(.test(), .test(.test(), listeners: [capture]))
        #expect(capture.attempts.last?.size == 1 + 512)
    }

    @Test func aReaderThatIsDoneLeavesTheBodyOnce() {
        let source = HeldSource(["ab"])
        let ends = Locked<[String]>([])
        let taped = TapedBodySource(ResponseBody(source: source), tape: BodyTape(limit: 9)) { error in
            ends.change { $0.append(error?.message ?? "-") }
        }
        ResponseBody(source: taped).finish()
        #expect(ends.value == ["the reader stopped reading the body here"])
        #expect(source.cancellations == 1)
        taped.cancel()
        #expect(ends.value.count == 1)
        #expect(source.cancellations == 2)
    }
}
