#if os(Linux)
import HTTPTypes
import NetCore
import Testing

@testable import NetCurl

@Suite(.timeLimit(.minutes(2))) struct HeadCollectorTests {
    private func receive(_ lines: [String]) -> (HeadCollector, [HeadCollector.Action]) {
        var collector = HeadCollector()
        let actions = lines.map { line in Array(line.utf8).withUnsafeBytes { collector.receive($0) } }
        return (collector, actions)
    }

    @Test func aHeadIsCompleteAtItsEmptyLine() {
        var (collector, actions) = receive(["HTTP/1.1 404 Not Found\r\n", "A: b\r\n", "\r\n"])
        #expect(actions == [.none, .none, .head])
        let head = collector.head()
        #expect(head.status == HTTPResponse.Status(code: 404, reasonPhrase: "Not Found"))
        #expect(head.version == "1.1")
        #expect(head.headers == ["A": "b"])
        #expect(collector.trailers == nil)
    }

    @Test func interimResponsesLeaveNothingBehind() {
        var (collector, actions) = receive([
            "HTTP/1.1 100 Continue\r\n", "X: 1\r\n", "\r\n", "HTTP/2 200\r\n", "A: b\r\n", "\r\n",
        ])
        #expect(actions.last == .head)
        let head = collector.head()
        #expect(head.headers.count == 1)
        #expect(head.status.code == 200)
    }

    @Test func aLineWithoutAnythingIsNoHarm() {
        #expect(receive(["HTTP/1.1 200 OK\r\n", "t", "T:", ""]).1.count == 4)
    }

    @Test(arguments: [
        "Content-Length : 2\r\n", "transfer-encoding\t:chunked\r\n", "Connection : close\r\n",
        "proxy-connection\t: close\r\n",
    ])
    func aBlankBeforeTheColonOfTheFramingIsAFault(line: String) {
        #expect(receive(["HTTP/1.1 200 OK\r\n", line]).1.last == .fault(.blankInFraming))
    }

    @Test func aTrailerWithoutAColonIsAFault() {
        #expect(receive(["HTTP/1.1 200 OK\r\n", "\r\n", "no colon\r\n"]).1.last == .fault(.noColon))
    }

    @Test func fieldsAfterTheHeadAreTrailers() {
        let (collector, _) = receive(["HTTP/1.1 200 OK\r\n", "\r\n", "X-Sum: 1\r\n", "\r\n"])
        #expect(collector.trailers == ["X-Sum": "1"])
    }

    @Test(arguments: [
        "", "HTTP/1.1", "HTTP/1.1 20 OK\r\n", "HTTP/1.1 2000 OK\r\n", "HTTX/1.1 200 OK\r\n", "HTTP/1.1 099 No\r\n",
        "HTTP/1.1 200OK\r\n", "HTTP/1.2 200 OK\r\n", "HTTP/2.0 200 OK\r\n", "HTTP/0.9 200 OK\r\n", "HTTP/ 200 OK\r\n",
        "HTTP/4 200 OK\r\n",
    ])
    func somethingElseThanAStatusLineIsMalformed(line: String) {
        #expect(receive([line]).1 == [.fault(.notHTTP)])
    }

    @Test func sectionsAreBoundedTogether() {
        let line = "X: " + String(repeating: "a", count: 1019) + "\r\n"
        let (_, actions) = receive(["HTTP/1.1 200 OK\r\n"] + Array(repeating: line, count: 256))
        #expect(actions.last == .fault(.tooLarge))
        #expect(actions.dropLast().allSatisfy { $0 == .none })
    }

    @Test func anInterimResponseIsToldOfAndHeldUntilTheNextLine() {
        var (collector, actions) = receive(["HTTP/1.1 103 Early Hints\r\n", "Link: </a>\r\n", "\r\n"])
        #expect(actions == [.none, .none, .interim])
        let head = collector.head()
        #expect(head.status.code == 103)
        #expect(head.headers == ["Link": "</a>"])
        #expect(!collector.isComplete)
    }

    @Test func interimResponsesAreCounted() {
        var limits = HeadLimits()
        limits.interimResponses = 2
        var collector = HeadCollector(limits: limits)
        let lines = Array(repeating: ["HTTP/1.1 102 Processing\r\n", "\r\n"], count: 3).flatMap { $0 }
        let actions = lines.map { line in Array(line.utf8).withUnsafeBytes { collector.receive($0) } }
        #expect(actions == [.none, .interim, .none, .interim, .none, .fault(.tooManyInterim)])
    }

    @Test(arguments: ["5", " 5 ", "0", "9223372036854775807", "5, 5", "5,5 ,\t5", "007"])
    func aLengthThatCanBeTrustedIsTaken(value: String) {
        let (_, actions) = receive([
            "HTTP/1.1 200 OK\r\n", "Content-Length:\(value)\r\n", "content-length: \(value)\r\n",
        ])
        #expect(actions == [.none, .none, .none])
    }

    @Test(arguments: [
        "", " ", "-5", "+5", "5 6", "5, 6", "5,", ",5", "0x5", "5.0", "9223372036854775808",
        "99999999999999999999999999", "5;a", "\u{0}5",
    ])
    func aLengthThatCannotBeTrustedIsAFault(value: String) {
        #expect(receive(["HTTP/1.1 200 OK\r\n", "Content-Length: \(value)\r\n"]).1.last == .fault(.invalidLength))
    }

    @Test func twoDifferentLengthsAreAFault() {
        let lines = ["HTTP/1.1 200 OK\r\n", "Content-Length: 5\r\n", "A: b\r\n", "CONTENT-LENGTH: 6\r\n"]
        #expect(receive(lines).1 == [.none, .none, .none, .fault(.invalidLength)])
    }

    @Test(
        arguments: ["Content-Length: 5", "Transfer-Encoding:", "CONNECTION: x", "Proxy-Connection: close"], [" ", "\t"])
    func aFieldThatFramesTheMessageEndsInItsLine(field: String, blank: String) {
        let lines = ["HTTP/1.1 200 OK\r\n", "\(field)\r\n", "\(blank)chunked\r\n"]
        let expected: HeadCollector.Fault = field.hasSuffix(":") ? .unknownCoding : .foldInFraming
        #expect(receive(lines).1.first { $0 != .none } == .fault(expected))
    }

    @Test func otherFieldsGoOn() {
        let lines = ["HTTP/1.1 200 OK\r\n", "Content-Length: 5\r\n", "X: a\r\n", " b\r\n", "\r\n"]
        var (collector, actions) = receive(lines)
        #expect(actions == [.none, .none, .none, .none, .head])
        #expect(collector.head().headers["X"] == "a b")
    }

    @Test(arguments: [
        "gzip", "gzip, chunked", "chunked, gzip", "chunked, chunked", "chunked;q=1", "", " ", ",", "identity, chunked",
        "chunked\u{0}", "\u{b}chunked", "chun ked",
    ])
    func aCodingThatNobodyAskedForIsAFault(value: String) {
        #expect(receive(["HTTP/1.1 200 OK\r\n", "Transfer-Encoding: \(value)\r\n"]).1.last == .fault(.unknownCoding))
    }

    @Test(arguments: ["chunked", " CHUNKED ", "\tchunked,", ", chunked"])
    func chunksAreACodingOfTheTransfer(value: String) {
        let (collector, actions) = receive(["HTTP/1.1 200 OK\r\n", "Transfer-Encoding:\(value)\r\n", "\r\n"])
        #expect(actions == [.none, .none, .head])
        #expect(collector.isChunked)
        #expect(!collector.endsConnection)
        #expect(!collector.isEmpty)
        #expect(!collector.hasAnnounced(0))
    }

    @Test func aCodingInTwoLinesIsAFault() {
        let line = "Transfer-Encoding: chunked\r\n"
        #expect(receive(["HTTP/1.1 200 OK\r\n", line, line]).1.last == .fault(.unknownCoding))
    }

    @Test(arguments: [
        (["HTTP/1.0 200 OK", "Connection: keep-alive", "Transfer-Encoding: chunked"], true),
        (["HTTP/1.1 200 OK", "Content-Length: 5", "Transfer-Encoding: chunked"], true),
        (["HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "Content-Length: 5"], true),
        (["HTTP/1.0 200 OK", "Connection: keep-alive, Close", "Content-Length: 5"], true),
        (["HTTP/1.0 200 OK", "Connection: keep-alive", "Content-Length: 5"], false),
        (["HTTP/1.1 200 OK", "Connection: closed", "Content-Length: 5"], false),
    ])
    func framingThatIsFaultyEndsTheConnection(lines: [String], ends: Bool) {
        let (collector, actions) = receive(lines.map { $0 + "\r\n" } + ["\r\n"])
        #expect(actions.last == .head)
        #expect(collector.endsConnection == ends)
    }

    @Test func framingHeadersOfInterimResponsesAreIgnored() {
        let lines = ["HTTP/1.1 103 X", "Transfer-Encoding: chunked", "Content-Length: 3", "Connection: close", ""]
        let (collector, _) = receive((lines + ["HTTP/1.1 200 OK", "Content-Length: 5", ""]).map { $0 + "\r\n" })
        #expect(!collector.isChunked)
        #expect(!collector.endsConnection)
        #expect(collector.hasAnnounced(5))
    }

    @Test func otherFieldsThatLookAlikeAreNoLength() {
        let lines = [
            "HTTP/1.1 200 OK\r\n", "Content-Location: x\r\n", "Content-Language: de\r\n", "Connect-Length: x\r\n",
        ]
        #expect(receive(lines).1 == [.none, .none, .none, .none])
    }

    @Test func memoryIsGivenBackForTheNextResponse() {
        var (collector, _) = receive(["HTTP/1.1 200 OK\r\n", "A: b\r\n", "\r\n"])
        let head = collector.head()
        let buffer = collector.takeBuffer()
        #expect(buffer.isEmpty)
        #expect(buffer.capacity > 0)
        var next = HeadCollector(buffer: buffer)
        for line in ["HTTP/1.1 404 No\r\n", "C: d\r\n", "\r\n"] {
            _ = Array(line.utf8).withUnsafeBytes { next.receive($0) }
        }
        #expect(head.headers == ["A": "b"])
        #expect(next.head().headers == ["C": "d"])
    }
}
#endif
