import HTTPTypes
import NetTesting
import Testing

@testable import NetCore

private struct Tick: Decodable, Sendable, Equatable { let price: Int }

@Suite(.timeLimit(.minutes(1))) struct JSONLinesTests {
    private func values<Element>(_ lines: JSONLines<Element>) async throws(NetError) -> [Element] {
        var values: [Element] = []
        for try await value in lines { values.append(value) }
        return values
    }

    @Test func observedBodiesKeepTheirCoders() async throws {
        struct Name: Decodable, Sendable { let firstName: String }
        let source = ScriptedSource([#"{"first_name":"Ada"}"#])
        let body = ResponseBody(source: source).decoding(with: .snakeCaseISO8601).onEnd { _ in }
        #expect(try await values(body.jsonLines(of: Name.self)).map(\.firstName) == ["Ada"])
    }

    @Test(
        "Lines are decoded however the chunks are cut",
        arguments: [
            #"{"price":1}"# + "\n" + #"{"price":2}"# + "\n", "\n\r\n" + #"{"price":1}"# + "\r\n \t\n" + #"{"price":2}"#,
            #"{"price":"# + "\r" + #"1}"# + "\n" + #"{"price":2}"#,
        ])
    func lines(text: String) async throws {
        let bytes = Bytes(text.utf8)
        let expected = [Tick(price: 1), Tick(price: 2)]
        #expect(try await values(ResponseBody(bytes).jsonLines(of: Tick.self)) == expected)
        for cut in 0...bytes.count {
            let source = ScriptedSource(
                [bytes[0..<cut], bytes[cut..<bytes.count]].map { String(decoding: $0, as: UTF8.self) })
            #expect(try await values(ResponseBody(source: source).jsonLines(of: Tick.self)) == expected)
        }
    }

    @Test func theFirstBadLineEndsTheStreamAndTheTransfer() async throws {
        let source = ScriptedSource(["{\"price\":1}\n\nSECRET\n{\"price\":2}\n"], waits: true)
        var iterator = ResponseBody(source: source).jsonLines(of: Tick.self).makeAsyncIterator()
        #expect(try await iterator.next() == Tick(price: 1))
        let error = await #expect(throws: NetError.self) { try await iterator.next() }
        #expect(error?.code == .decoding)
        #expect(error?.message.contains("line 3") == true)
        #expect(error?.description.contains("SECRET") == false)
        #expect(source.isCancelled)
        #expect(try await iterator.next() == nil)
    }

    @Test func aBadLineCanBeHandedOut() async throws {
        let body = ResponseBody(Bytes("{\"price\":1}\nx\n{\"price\":2}".utf8))
        let results = try await values(body.jsonLineResults(of: Tick.self))
        try #require(results.count == 3)
        #expect(try results[0].get() == Tick(price: 1))
        #expect(try results[2].get() == Tick(price: 2))
        let error = #expect(throws: NetError.self) { try results[1].get() }
        #expect(error?.message.contains("line 2") == true)
    }

    @Test func aLinePastTheLimitThrows() async throws {
        let body = ResponseBody(Bytes("{\"price\":1}\n{\"price\":22}\n".utf8))
        var iterator = body.jsonLines(of: Tick.self, maximumLineBytes: 11).makeAsyncIterator()
        #expect(try await iterator.next() == Tick(price: 1))
        let error = await #expect(throws: NetError.self) { try await iterator.next() }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test func recordsOfATextSequenceMayHaveLineEndsAndOneThatIsCutOffIsAnError() async throws {
        let text = "\u{1e}{\"price\":\n1}\n\u{1e}\u{1e}{\"price\":2}\r\n\u{1e}{\"price\":3}"
        let body = ResponseBody(Bytes(text.utf8))
        let results = try await values(body.jsonLineResults(of: Tick.self, framing: .recordSeparators))
        #expect(results.count == 3)
        // An object has an end of its own, a number doesn't (RFC 7464 section 2.4).
        #expect(try results.map { try $0.get() } == [1, 2, 3].map { Tick(price: $0) })
        let numbers = try await values(
            ResponseBody(Bytes("\u{1e}12\n\u{1e}34 \u{1e}56".utf8)).jsonLineResults(
                of: Int.self, framing: .recordSeparators))
        try #require(numbers.map { try? $0.get() } == [12, 34, nil])
        let error = #expect(throws: NetError.self) { try numbers[2].get() }
        #expect(error?.message.contains("record 3 is cut off") == true)
        let half = ResponseBody(Bytes("\u{1e}{\"price\":1\u{1e}{\"price\":2}".utf8)).jsonLineResults(
            of: Tick.self, framing: .recordSeparators)
        #expect(try await values(half).map { try? $0.get() } == [nil, Tick(price: 2)])
    }

    @Test func theSerializerUsesTheClientsCoders() async throws {
        struct Name: Decodable, Sendable { let firstName: String }
        let serializer = ResponseSerializer.jsonLines(of: Name.self)
        guard case .streamed(let convert) = serializer.conversion else { return }
        let body = ResponseBody(Bytes("{\"first_name\":\"Ada\"}".utf8))
        let lines = try convert(
            ResponseHead(status: .ok), body, SerializationContext(coding: .snakeCaseISO8601))
        #expect(try await values(lines).map(\.firstName) == ["Ada"])
        #expect(serializer.accept == "application/jsonl, application/x-ndjson")
        let short: ResponseSerializer<JSONLines<Tick>> = .jsonLines()
        #expect(short.accept == serializer.accept)
    }

    @Test func aBadLineThatIsHandedOutNamesItsCall() async throws {
        let call = CallSummary(id: CallID(high: 0, low: 7), method: .get, url: "https://h/x")
        let body = ResponseBody(source: ScriptedSource(["nonsense\n"]))
            .onEnd(filling: { $0.filling(call: call, elapsed: .zero) }, { _ in })
        let results = try await values(body.jsonLineResults(of: Tick.self))
        let error = #expect(throws: NetError.self) { try results.first?.get() }
        #expect(error?.call == call)
    }
}
