#if os(Linux)
import HTTPTypes
import NetCore
import Testing

@testable import NetCurl

@Suite struct HeadCollectorTests {
    private func receive(_ lines: [String]) -> (HeadCollector, [HeadCollector.Action]) {
        var collector = HeadCollector()
        let actions = lines.map { line in Array(line.utf8).withUnsafeBytes { collector.receive($0) } }
        return (collector, actions)
    }

    @Test func aHeadIsCompleteAtItsEmptyLine() {
        let (collector, actions) = receive(["HTTP/1.1 404 Not Found\r\n", "A: b\r\n", "\r\n"])
        #expect(actions == [.none, .none, .head])
        #expect(collector.head().status == HTTPResponse.Status(code: 404, reasonPhrase: "Not Found"))
        #expect(collector.head().version == "1.1")
        #expect(collector.head().fields == [.init("A")!: "b"])
        #expect(collector.trailers == nil)
    }

    @Test func interimResponsesLeaveNothingBehind() {
        let (collector, actions) = receive([
            "HTTP/1.1 100 Continue\r\n", "X: 1\r\n", "\r\n", "HTTP/2 200\r\n", "A: b\r\n", "\r\n",
        ])
        #expect(actions.last == .head)
        #expect(collector.head().fields.count == 1)
        #expect(collector.head().status.code == 200)
    }

    @Test func fieldsAfterTheHeadAreTrailers() {
        let (collector, _) = receive(["HTTP/1.1 200 OK\r\n", "\r\n", "X-Sum: 1\r\n", "\r\n"])
        #expect(collector.trailers == [.init("X-Sum")!: "1"])
    }

    @Test(arguments: [
        "", "HTTP/1.1", "HTTP/1.1 20 OK\r\n", "HTTP/1.1 2000 OK\r\n", "HTTX/1.1 200 OK\r\n", "HTTP/1.1 099 No\r\n",
    ])
    func somethingElseThanAStatusLineIsMalformed(line: String) {
        #expect(receive([line]).1 == [.malformed])
    }

    @Test func sectionsAreBoundedTogether() {
        let line = "X: " + String(repeating: "a", count: 1019) + "\r\n"
        let (_, actions) = receive(["HTTP/1.1 200 OK\r\n"] + Array(repeating: line, count: 256))
        #expect(actions.last == .tooLarge)
        #expect(actions.dropLast().allSatisfy { $0 == .none })
    }
}
#endif
