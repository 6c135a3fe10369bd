import HTTPTypes
import NetCore
import NetTesting
import Testing

/// The contents read from a part.
struct ReadPart: Equatable, Sendable {
    var headers: HTTPFields
    var body = ""
}

@Suite struct MultipartParserTests {
    private func parse(
        _ chunks: [Bytes], boundary: String = "B", maximumHeaderBytes: Int = 16 << 10, maximumParts: Int = 100
    ) throws(NetError) -> [ReadPart] {
        var parser = try MultipartParser(
            boundary: boundary, maximumHeaderBytes: maximumHeaderBytes, maximumParts: maximumParts)
        var parts: [ReadPart] = []
        for chunk in chunks {
            var input = chunk
            while let event = try parser.next(from: &input) {
                switch event {
                case .part(let headers): parts.append(ReadPart(headers: headers))
                case .body(let bytes): parts[parts.count - 1].body += String(decoding: bytes, as: UTF8.self)
                case .partEnd: break
                }
            }
        }
        try parser.finish()
        return parts
    }

    /// Parses a text whole, byte by byte, and cut at every position; returns the first result if all are equal.
    private func everyWay(_ text: String) throws -> [ReadPart] {
        let bytes = Bytes(text.utf8)
        let whole = try parse([bytes])
        #expect(try parse(bytes.map { Bytes(CollectionOfOne($0)) }) == whole)
        for cut in 0...bytes.count {
            #expect(try parse([bytes[0..<cut], bytes[cut..<bytes.count]]) == whole, "cut at \(cut)")
        }
        return whole
    }

    @Test func partsAreReadHoweverTheChunksAreCut() throws {
        let parts = try everyWay(
            "pre\r\n--Bx\r\n--B \t\r\nA: 1\r\nB: x\r\n  y\r\n\r\nbody\r\n-\r\n--\r\n--Bx\r\n--B-\r\n--B \r\r\n--B\r\n\r\n\r\n--B\r\n"
                + "C:\r\n\r\n--B--x\r\n--B\r\nD: 1\r\n\r\nepilogue")
        #expect(parts.map(\.body) == ["body\r\n-\r\n--\r\n--Bx\r\n--B-\r\n--B \r", "", ""])
        let names = parts.map { $0.headers.map { "\($0.name)=\($0.value)" } }
        #expect(names == [["A=1", "B=x y"], [], ["C="]])
    }

    @Test(
        "Text that looks like a boundary is text",
        arguments: [
            "\r", "\n--B", "\r\n--b", "--B", "\r\n--", "\r\r\n-", "x--B--", "\r\n--B--".replacing("B", with: "Bb"),
        ])
    func text(text: String) throws {
        #expect(try everyWay("--B\r\n\r\nx\(text)\r\n--B--").map(\.body) == ["x" + text])
    }

    @Test func aBodyMayBeEmptyAndSoMayTheWhole() throws {
        #expect(try everyWay("--B\r\nA: b\r\n\r\n\r\n--B--").map(\.body) == [""])
        #expect(try everyWay("--B\r\nA: b\r\n\r\n--B--").map(\.body) == [""])
        #expect(try everyWay("\r\n--B--").isEmpty)
    }

    @Test(
        "A body that is malformed or cut off says so",
        arguments: [
            "", "hello", "--B", "--B\r\n", "--B\r\nA: b", "--B\r\nA: b\r\n\r\n", "--B\r\n\r\nx\r\n--B",
            "--B\r\n\r\nx\r\n--B-",
            "--B\r\nno colon\r\n\r\nx\r\n--B--", "--B\r\n: x\r\n\r\n\r\n--B--", "--B\r\nA b: x\r\n\r\n\r\n--B--",
            "--B\r\nA: x\u{0}\r\n\r\n\r\n--B--", "--B\r\nA: x\nB: y\r\n\r\n\r\n--B--", "--Bx--",
        ])
    func malformed(text: String) {
        let error = #expect(throws: NetError.self) { try parse([Bytes(text.utf8)]) }
        #expect(error?.code == .decoding)
        #expect(throws: NetError.self) { try parse(Bytes(text.utf8).map { Bytes(CollectionOfOne($0)) }) }
    }

    @Test func limitsAreKept() throws {
        let text = Bytes("--B\r\nA: 12345\r\n\r\nx\r\n--B\r\n\r\ny\r\n--B--".utf8)
        #expect(try parse([text], maximumHeaderBytes: 12, maximumParts: 2).count == 2)
        for (bytes, parts) in [(11, 2), (12, 1)] {
            let error = #expect(throws: NetError.self) {
                try parse([text], maximumHeaderBytes: bytes, maximumParts: parts)
            }
            #expect(error?.code == .bodyTooLarge)
        }
        // A line with endless padding isn't a boundary, and isn't kept in memory.
        let padded = Bytes("--B\r\n\r\nx\r\n--B\(String(repeating: " ", count: 5000))\r\n--B--".utf8)
        #expect(try parse([padded]).map(\.body.utf8.count) == [1 + 5 + 5000])
    }

    @Test("A boundary that is none is refused", arguments: ["", "a ", "a\r\n", String(repeating: "x", count: 71)])
    func boundary(boundary: String) {
        #expect(throws: NetError.self) { try MultipartParser(boundary: boundary) }
    }

    @Test func encodedFormsAreReadBack() async throws {
        let random = SeededRandom(seed: 33)
        let alphabet = Array("\r\n-B:a é".utf8)
        for _ in 0..<300 {
            let values = (0..<3).map { _ in
                Bytes((0..<Int(random.next() % 20)).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] })
            }
            let form = RequestBody.multipart(
                values.enumerated().map { .data("n\($0.offset)", $0.element) }, boundary: "BBB")
            guard case .bytes(let bytes) = try form.resolved(with: .standard).content else { continue }
            let cut = Int(random.next() % UInt64(bytes.count + 1))
            let parts = try parse([bytes[0..<cut], bytes[cut..<bytes.count]], boundary: "BBB")
            #expect(parts.map { $0.headers.disposition?.name } == ["n0", "n1", "n2"])
            #expect(parts.map(\.body) == values.map { String(decoding: $0, as: UTF8.self) })
        }
    }
}
