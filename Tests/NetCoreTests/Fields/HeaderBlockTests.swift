import HTTPTypes
import NetCore
import NetTesting
import Testing

@Suite struct HeaderBlockTests {
    private func block(_ text: String) -> HeaderBlock { HeaderBlock(Array(text.utf8)) }

    @Test func fieldsKeepOrderAndRepetition() {
        let text = "Set-Cookie: a=1\r\nDate: x\r\nset-cookie: b=2; Expires=Wed, 01 Jan 2020 00:00:00 GMT\r\n"
        let headers = block(text).headers
        #expect(headers.map(\.name.rawName) == ["Set-Cookie", "Date", "set-cookie"])
        #expect(headers[values: .setCookie] == ["a=1", "b=2; Expires=Wed, 01 Jan 2020 00:00:00 GMT"])
    }

    @Test(
        "Lines that are no field are left out",
        arguments: [
            "", "\r\n", "no colon\r\n", ": empty name\r\n", ":status: 200\r\n", "bad name: x\r\n",
            "\0: x\r\n", "é: x\r\n", "\n\n\n", ":", " : x",
        ])
    func oddLines(line: String) {
        let block = block(line + "\nAge: 1\r\n")
        #expect(block.headers.map { "\($0)" } == ["Age: 1"])
        #expect(block[.age] == "1")
    }

    @Test func blanksBeforeTheColonAreNoPartOfTheName() {
        let block = block("Age \t: 1\r\nServer : x\r\n")
        #expect(block[.age] == "1")
        #expect(block.headers[.server] == "x")
    }

    @Test func blanksAroundAValueAreNoPartOfIt() {
        let block = block("Age:1\r\nAccept: \t a b \t \r\nVia:\r\nServer: x:y\nDate: last")
        #expect(block[.age] == "1")
        #expect(block[.accept] == "a b")
        #expect(block[.via]?.isEmpty == true)
        #expect(block[.server] == "x:y")
        #expect(block[.date] == "last")
        #expect(block[.range] == nil)
    }

    @Test func aFoldedLineGoesOnWithTheOneBefore() {
        let block = block("Server: a\r\n  b\r\n\tc: d\r\n \r\nAge: 1\r\nVia:\r\n x\r\nodd\r\n Date: hidden\r\n")
        #expect(block[.server] == "a b c: d")
        #expect(block[.age] == "1")
        #expect(block[.via] == "x")
        #expect(block.headers.count == 3)
        #expect(block.headers[.server] == "a b c: d")
    }

    @Test func bytesThatAreNoUTF8AreKept() throws {
        let block = HeaderBlock(Array("Server: caf".utf8) + [0xe9, 13, 10])
        #expect(block[.server] == "caf\u{fffd}")
        let field = try #require(block.headers.first)
        #expect(field.withUnsafeBytesOfValue { Array($0) } == Array("caf".utf8) + [0xe9])
    }

    @Test func lookingOneFieldUpGivesWhatParsingAllGives() {
        let random = SeededRandom(seed: 11)
        let alphabet: [[UInt8]] =
            [
                "Age", "age", "Cookie", "Set-Cookie", ":", ": ", " ", "\t", "\r\n", "\n", "\r", "\0", "x", "a=b", "é",
                ",",
            ].map { Array($0.utf8) } + [[0xff]]
        for _ in 0..<3000 {
            let bytes = (0..<Int(random.next() % 24)).flatMap { _ in
                alphabet[Int(random.next() % UInt64(alphabet.count))]
            }
            let block = HeaderBlock(bytes)
            let head = ResponseHead(status: .ok, version: "1.1", block: block)
            let parsed = ResponseHead(status: .ok, headers: block.headers)
            for name in [HTTPField.Name.age, .cookie, .setCookie] { #expect(head[name] == parsed[name]) }
            #expect(head.headers == parsed.headers)
        }
    }
}

@Suite struct ResponseHeadTests {
    @Test func changingAFieldParsesTheBlock() {
        var head = ResponseHead(status: .ok, version: "2", block: HeaderBlock(Array("Age: 1\r\nVia: x\r\n".utf8)))
        head.headers[.age] = "2"
        #expect(head[.age] == "2")
        #expect(head[.via] == "x")
        #expect(head.version == "2")
    }

    @Test func onlyTwoHundredsAreASuccess() {
        for code in [200, 204, 299] { #expect(ResponseHead(status: .init(code: code)).isSuccess) }
        for code in [100, 199, 300, 404, 500] { #expect(!ResponseHead(status: .init(code: code)).isSuccess) }
    }
}
