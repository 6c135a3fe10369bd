import HTTPTypes
import NetTesting
import TestSupport
import Testing

@testable import NetCore

@Suite struct MultipartSyntaxTests {
    @Test func boundariesHaveTheirLetters() {
        for byte in UInt8(0)..<128 {
            let isLetter = (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            let isAllowed = isLetter || "'()+_,-./:=? ".utf8.contains(byte)
            #expect(MultipartEncoder.isBoundary("\(Unicode.Scalar(byte))x") == isAllowed, "\(byte)")
        }
        #expect(!MultipartEncoder.isBoundary(""))
        #expect(!MultipartEncoder.isBoundary("a "))
        #expect(!MultipartEncoder.isBoundary("é"))
        #expect(MultipartEncoder.isBoundary(String(repeating: "a", count: 70)))
        #expect(!MultipartEncoder.isBoundary(String(repeating: "a", count: 71)))
    }

    @Test(
        arguments: [
            ("a", "a"), ("a\nb", "a\r\nb"), ("a\rb", "a\r\nb"), ("a\r\nb", "a\r\nb"), ("\n\n", "\r\n\r\n"),
            ("\r\r", "\r\n\r\n"), ("\n\r", "\r\n\r\n"), ("a\r\n\nb", "a\r\n\r\nb"), ("", ""),
        ] as [(String, String)])
    func lineEndsBecomeThoseOfTheNetwork(_ text: String, _ expected: String) {
        #expect(text.withNetworkLineEnds == expected)
    }

    @Test(
        arguments: [
            ("A: b\r\n\r\n", ["A: b"]), ("A:b\r\nC:\t d \t\r\n\r\n", ["A: b", "C: d"]),
            ("A: b\r\n  c\r\n\td\r\n\r\n", ["A: b c d"]), ("\r\n", []), ("A:\r\n\r\n", ["A: "]), ("A: b", []),
            (" A: b\r\n\r\n", nil),
            ("A b\r\n\r\n", nil), (": b\r\n\r\n", nil), ("A: \u{1}\r\n\r\n", nil), ("A: b\rc\r\n\r\n", nil),
            ("A: b\n\r\n", nil),
        ] as [(String, [String]?)])
    func fieldsOfAPartAreRead(_ text: String, _ expected: [String]?) {
        let headers = try? MultipartHead.headers(Array(text.utf8)[...], part: 3)
        #expect(headers.map { $0.map { "\($0.name.rawName): \($0.value)" } } == expected)
        if expected == nil {
            let error = #expect(throws: NetError.self) { try MultipartHead.headers(Array(text.utf8)[...], part: 3) }
            #expect(error?.code == .decoding)
            #expect(error?.message.hasPrefix("the multipart body cannot be read: part 3 has a ") == true)
        }
    }

    @Test(
        arguments: [
            ("multipart/mixed; boundary=b", "b"), ("Multipart/Form-Data; charset=x; Boundary=\"a b\"", "a b"),
            ("multipart/mixed", nil), ("text/plain; boundary=b", nil), ("multipart/mixed; boundary=", nil),
            ("multipart/mixed; boundary=\"\"", nil), ("multipart/mixed; boundary", nil),
            ("multipart/x;boundary= b ;a=c", "b"), ("multipart/x; a=\"; boundary=no\"; boundary=b", "b"),
            ("multipart/x; boundary=\"a\\\"b\"", "a\"b"), ("multipart/x; boundary=\"a", "a"),
            ("multipart/x;;boundary=b", "b"), ("multipart/x; boundary=\"a\"x; c=d", "a"),
            ("multipart/x; boundary=\"a\\", "a\\"),
        ] as [(String, String?)])
    func theBoundaryOfATypeIsFound(_ type: String, _ boundary: String?) {
        #expect(MultipartPart.boundary(of: type) == boundary)
    }

    @Test func aBoundaryHasAtMost70Bytes() {
        let long = String(repeating: "a", count: 70)
        #expect(MultipartPart.boundary(of: "multipart/x; boundary=" + long) == long)
        #expect(MultipartPart.boundary(of: "multipart/x; boundary=a" + long) == nil)
        #expect(" \ta b\t ".trimmed == "a b")
        #expect("".trimmed.isEmpty)
        #expect(" ".trimmed.isEmpty)
    }

    @Test(
        arguments: [
            ("--b\r\nA: 1\r\n\r\nx\r\n--b--", ["A: 1|x"], true),
            ("--b\r\n\r\nx\r\n--b\r\n\r\ny\r\n--b--\r\nz", ["|x", "|y"], true),
            ("junk\r\n--b\r\n\r\nx\r\n--b--", ["|x"], true), ("--b--", [], true), ("--b\r\n\r\n\r\n--b--", ["|"], true),
            ("--b\r\n\r\nx--b\r\n--b--", ["|x--b"], true),
            ("--b\r\n\r\nx", ["|x"], false), ("--b\r\n\r\n", ["|"], false), ("--b\r\nA: 1", [], false),
            ("--b", [], false),
            ("x", [], false), ("", [], false), ("--b\r\nodd\r\nA: 1\r\n\r\nx\r\n--b--", ["A: 1|x"], false),
            ("--b\r\nA: 1\r\n--b--", [], false), ("--bc\r\n\r\nx\r\n--b--", ["|x"], true),
            ("--b\r\nA:\t1 \r\n\r\n\r\nx\r\n\r\n--b--", ["A: 1|\r\nx\r\n"], true),
            ("--b\r\n\r\nx\r\n--b-", ["|x"], false),
        ] as [(String, [String], Bool)])
    func partsOfABodyAreFound(_ text: String, _ expected: [String], _ isWhole: Bool) {
        let bytes = Array(text.utf8)
        let (parts, found) = MultipartPart.parts(in: bytes, boundary: "b")
        let shown = parts.map { part in
            part.headers.map { "\($0.name.rawName): \($0.value)" }.joined() + "|"
                + String(decoding: part.body, as: UTF8.self)
        }
        #expect(shown == expected)
        #expect(found == isWhole)
        #expect(parts.allSatisfy { Array(bytes[$0.range]) == Array($0.body) })
        #expect((MultipartPart.parts(of: Bytes(bytes), boundary: "b") != nil) == isWhole)
    }
}

@Suite struct MultipartParserEdgesTests {
    /// Returns the events of a text that arrives in chunks of the given size, with `[` and `]` around a part.
    private func events(_ text: String, chunk: Int, boundary: String = "b") -> String {
        guard var parser = try? MultipartParser(boundary: boundary) else { return "-" }
        var result = ""
        let bytes = Array(text.utf8)
        do throws(NetError) {
            for start in stride(from: 0, to: bytes.count, by: chunk) {
                var input = Bytes(bytes[start..<min(start + chunk, bytes.count)])
                while let event = try parser.next(from: &input) {
                    switch event {
                    case .part(let headers): result += "[\(headers.count)"
                    case .body(let part): result += String(decoding: part, as: UTF8.self)
                    case .partEnd: result += "]"
                    }
                }
            }
            try parser.finish()
        } catch {
            result += "!" + (error.message.split(separator: ": ").last.map(String.init) ?? "")
        }
        return result.replacing("\r\n", with: "~").replacing("\r", with: "^")
    }

    @Test(
        arguments: [
            ("--b\r\n\r\nx\r\n--b--", "[0x]"),
            ("--b\r\nA: 1\r\nB: 2\r\n\r\nx\r\n--b\r\n\r\ny\r\n--b--\r\nz", "[2x][0y]"),
            ("pre\r\n--b\r\n\r\n\r\n--b--", "[0]"), ("--b \t\r\n\r\nx\r\n--b--", "[0x]"),
            ("--b\r\n\r\nx\r\r\n--b--", "[0x^]"), ("--b\r\n\r\n\r\n\r\n--b--", "[0~]"),
            ("--b\r\n\r\nx\r\n--c\r\n--b--", "[0x~--c]"),
            ("--b\r\n\r\nx\r\n-\r\n--b--", "[0x~-]"), ("--b\r\n\r\nx\r\n--bx\r\n--b--", "[0x~--bx]"),
            ("--b\r\n\r\nx\r\n--b-x\r\n--b--", "[0x~--b-x]"), ("--b\r\n\r\nx\r\n--b x\r\n--b--", "[0x~--b x]"),
            ("--b\r\n\r\nx\r\n--b\rx\r\n--b--", "[0x~--b^x]"), ("--b\r\n\r\n--b--", "[0]"),
            ("--b\r\n\r\n-x\r\n--b--", "[0-x]"),
            ("--bx\r\n--b\r\n\r\nx\r\n--b--", "[0x]"), ("--b--", ""),
            ("x--b\r\n\r\n--b--", ""), ("--b--x", ""),
            ("--b\r\n\r\nx\r\n--b  --", "[0x~--b  --!it ends in part 1, without its closing boundary"),
            ("--b\r\n\r\n--bx\r\n--b--", "[0--bx]"),
            ("--b\r\n\r\nx", "[0x!it ends in part 1, without its closing boundary"),
            ("--b\r\nA: 1", "!it ends in part 0, without its closing boundary"),
            ("--b\r\n\r\nx\r\n--b", "[0x!it ends in part 1, without its closing boundary"),
            ("", "!it ends without the boundary that its content type declares"),
            ("--b", "!it ends without the boundary that its content type declares"),
        ] as [(String, String)])
    func piecesOfEverySizeGiveTheSameParts(_ text: String, _ expected: String) {
        for chunk in [1, 2, 3, 5, 7, 1000] { #expect(events(text, chunk: chunk) == expected, "\(chunk)") }
    }

    @Test func paddingOfABoundaryHasALimit() {
        func padded(_ count: Int) -> String {
            "--b\r\n\r\nx\r\n--b" + String(repeating: " ", count: count) + "\r\n\r\n\r\n--b--"
        }
        #expect(events(padded(255), chunk: 999) == "[0x][0]")
        #expect(events(padded(256), chunk: 999).hasPrefix("[0x~--b  "))
        #expect(events(padded(256), chunk: 1).hasPrefix("[0x~--b  "))
    }

    private func read(_ text: String, _ parser: MultipartParser) -> NetError? {
        var parser = parser
        var input = Bytes(text.utf8)
        do throws(NetError) {
            while try parser.next(from: &input) != nil {}
            return nil
        } catch {
            return error
        }
    }

    @Test func limitsHold() throws {
        // The head is "A: 1" and two line breaks.
        let text = "--b\r\nA: 1\r\n\r\nx\r\n--b\r\n\r\ny\r\n--b--"
        #expect(read(text, try MultipartParser(boundary: "b", maximumHeaderBytes: 8)) == nil)
        let head = read(text, try MultipartParser(boundary: "b", maximumHeaderBytes: 7))
        #expect(head?.code == .bodyTooLarge)
        #expect(head?.message == "the head of part 1 is longer than 7 bytes")
        #expect(read(text, try MultipartParser(boundary: "b", maximumParts: 2)) == nil)
        let parts = read(text, try MultipartParser(boundary: "b", maximumParts: 1))
        #expect(parts?.code == .bodyTooLarge)
        #expect(parts?.message == "the body has more than 1 parts")
        let standard = try MultipartParser(boundary: "b")
        #expect(standard.maximumHeaderBytes == 16_384)
        #expect(standard.maximumParts == 10_000)
        #expect(!standard.requiresNames)
        #expect(throws: NetError.self) { try MultipartParser(boundary: "") }
    }

    @Test func partsOfAFormHaveNames() throws {
        let named = try MultipartParser(boundary: "b", requiresNames: true)
        for (field, isNamed) in [
            ("Content-Disposition: form-data; name=a", true), ("Content-Disposition: form-data; name=\"\"", false),
            ("Content-Disposition: form-data", false), ("A: 1", false),
        ] {
            let error = read("--b\r\n\(field)\r\n\r\nx\r\n--b--", named)
            #expect((error == nil) == isNamed)
            #expect(isNamed || error?.message.contains("part 1 has no name, which form-data requires") == true)
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct MultipartSourceTests {
    private func read(_ source: MultipartSource) async -> (String, NetError?) {
        var text = ""
        do throws(NetError) {
            while let chunk = try await source.next() { text += String(decoding: chunk, as: UTF8.self) + "|" }
            return (text, nil)
        } catch {
            return (text, error)
        }
    }

    private func stream(_ texts: [String], length: Int64?, isReplayable: Bool = true) -> MultipartSource.Segment {
        .stream(length: length, isReplayable: isReplayable) { HeldSource(texts) }
    }

    @Test func segmentsAreReadOneAfterAnother() async {
        let (text, error) = await read(
            MultipartSource([
                .bytes([65]), .bytes([]), stream(["b", "c"], length: 2), stream([], length: 0),
                stream(["d"], length: nil), .bytes([69]),
            ]))
        #expect(text == "A|b|c|d|E|")
        #expect(error == nil)
        #expect(await read(MultipartSource([])).0.isEmpty)
    }

    @Test func aStreamKeepsItsLength() async {
        let (short, tooShort) = await read(MultipartSource([stream(["ab"], length: 3), .bytes([65])]))
        #expect(short == "ab|")
        #expect(tooShort?.message == "a part of the form ended after 2 of its declared 3 bytes")
        let (long, tooLong) = await read(MultipartSource([stream(["ab", "cd"], length: 3)]))
        #expect(long == "ab|")
        #expect(tooLong?.message == "a part of the form is longer than its declared 3 bytes")
        #expect(tooLong?.code == .encoding)
        #expect(tooLong?.phase == .sending)
        let (both, none) = await read(MultipartSource([stream(["ab"], length: 2), stream(["c"], length: 1)]))
        #expect(both == "ab|c|", "each is counted by itself")
        #expect(none == nil, "each is counted by itself")
    }

    @Test func unreadablePartsAreReported() async {
        struct Odd: Error {}
        let odd = MultipartSource([.stream(length: nil, isReplayable: true) { throw Odd() }])
        #expect(await read(odd).1?.message.hasPrefix("a part of the form cannot be read: ") == true)
        let own = MultipartSource([
            .stream(length: nil, isReplayable: true) { throw NetError(.file, phase: .sending, message: "m") }
        ])
        #expect(await read(own).1?.code == .file)
        #expect(await read(MultipartSource([.file(path: "/none", length: 3)])).1?.code == .encoding)
    }

    @Test func aSourceThatIsCancelledCancelsItsPart() async throws {
        let held = HeldSource(["a", "b"])
        let source = MultipartSource([.stream(length: nil, isReplayable: false) { held }])
        #expect(try await source.next() == Bytes("a".utf8))
        source.cancel()
        source.cancel()
        #expect(held.cancellations == 1)
        let (text, error) = await read(source)
        #expect(text.isEmpty)
        #expect(error?.code == .cancelled)
        #expect(error?.phase == .sending)
        let dropped = HeldSource(["a"])
        do {
            let source = MultipartSource([.stream(length: nil, isReplayable: false) { dropped }])
            _ = try await source.next()
        }
        #expect(dropped.cancellations == 1)
    }

    @Test func segmentsKnowTheirLengthAndWhetherTheyCanBeReadAgain() {
        #expect(MultipartSource.Segment.bytes([1, 2]).length == 2)
        #expect(MultipartSource.Segment.bytes([]).isReplayable)
        #expect(MultipartSource.Segment.file(path: "p", length: 7).length == 7)
        #expect(MultipartSource.Segment.file(path: "p", length: 7).isReplayable)
        #expect(stream([], length: nil).length == nil)
        #expect(stream([], length: 3, isReplayable: false).length == 3)
        #expect(!stream([], length: 3, isReplayable: false).isReplayable)
        #expect(stream([], length: 3).isReplayable)
    }
}

@Suite struct MultipartEncoderEdgesTests {
    private func resolved(_ parts: [FormPart], boundary: String? = "b", random: NetRandom = NetRandom { 0 }) throws
        -> RequestBody.Resolved
    {
        try RequestBody.multipart(parts, boundary: boundary, random: random).resolved(with: .standard)
    }

    private func text(_ parts: [FormPart]) throws -> String {
        guard case .bytes(let bytes) = try resolved(parts).content else { return "-" }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func message(_ parts: [FormPart], boundary: String? = "b") -> String? {
        #expect(throws: NetError.self) { try resolved(parts, boundary: boundary) }?.message
    }

    @Test func aFormIsWritten() throws {
        #expect(try text([]) == "--b--\r\n")
        var part = FormPart.data("a\"\n", [1], filename: "x\r\"", contentType: "a/b")
        part.headers = ["X-A": "1"]
        #expect(
            try text([part, .text("t", "l\nm")])
                == "--b\r\nContent-Disposition: form-data; name=\"a%22%0D%0A\"; filename=\"x%0D%22\"\r\n"
                + "Content-Type: a/b\r\nX-A: 1\r\n\r\n\u{1}\r\n"
                + "--b\r\nContent-Disposition: form-data; name=\"t\"\r\n\r\nl\r\nm\r\n--b--\r\n")
    }

    @Test func namesHaveNoControlCharacters() throws {
        for byte in UInt8(0)..<128 {
            let text = "a\(Unicode.Scalar(byte))"
            let isRefused = byte == 127 || (byte < 32 && ![9, 10, 13].contains(byte))
            #expect(((try? resolved([.text(text, "x")])) == nil) == isRefused, "\(byte)")
            #expect(((try? resolved([.data("a", [1], filename: text)])) == nil) == isRefused, "\(byte)")
        }
        #expect(message([.text("", "x")]) == "the form cannot be written: a part has no name")
        #expect(
            message([.text("a", "x", contentType: "nonsense")])?.hasSuffix(
                "the content type of the part \"a\" isn't a media type") == true)
        for name in [HTTPField.Name.contentType, .contentDisposition] {
            var part = FormPart.text("a", "x")
            part.headers = [name: "y"]
            #expect(message([part])?.hasSuffix("the part \"a\" has the field \(name.rawName) twice") == true)
        }
    }

    @Test func aBoundaryOccursInNoPart() throws {
        #expect(
            message([.text("a", "x --b y")])?.hasSuffix("the boundary occurs in a part; choose another one, or omit it")
                == true)
        #expect(message([.text("a", "--b")])?.hasSuffix("choose another one, or omit it") == true)
        #expect(try text([.text("a", "-b")]).contains("-b\r\n--b--"))
        #expect(message([.text("a", "x")], boundary: "é")?.contains("1 to 70 letters") == true)
        let zeros = String(repeating: "0", count: 32)
        let first = try resolved([.text("a", "x")], boundary: nil)
        #expect(first.contentType == "multipart/form-data; boundary=net-form-\(zeros)")
        let second = try resolved([.text("a", "--net-form-\(zeros)-1"), .text("b", "x")], boundary: nil)
        #expect(second.contentType == "multipart/form-data; boundary=net-form-\(zeros)-2")
        #expect(try resolved([.text("a", "x")], boundary: "a b").contentType == "multipart/form-data; boundary=\"a b\"")
    }

    @Test func aFormWithStreamsIsOne() throws {
        func content(_ length: Int64?, isReplayable: Bool = false) throws -> (Int64?, Bool)? {
            let part = FormPart.stream("a", ChunkFeed([]), length: length, isReplayable: isReplayable)
            guard case .stream(let length, let isReplayable, _) = try resolved([part, .text("b", "x")]).content else {
                return nil
            }
            return (length, isReplayable)
        }
        let overhead = try #require(content(0)?.0)
        #expect(try content(7)?.0 == overhead + 7)
        #expect(try content(nil)?.0 == nil)
        #expect(try content(7)?.1 == false)
        #expect(try content(7, isReplayable: true)?.1 == true)
        #expect(
            message([.stream("a", ChunkFeed([]), length: -1)])?.contains(
                "the length of the part \"a\" is negative (-1)") == true)
        #expect(
            message([.stream("a", ChunkFeed([]), length: .max)])?.hasSuffix(
                "its parts have more bytes than 64 bits can count") == true)
    }

    @Test func partsHaveTypesOfTheirOwn() {
        #expect(FormPart.data("a", [1]).contentType == "application/octet-stream")
        #expect(FormPart.data("a", [1], filename: "x.png").contentType == "image/png")
        #expect(FormPart.data("a", Array("GIF89a".utf8)).contentType == "image/gif")
        #expect(FormPart.data("a", Array("GIF89a".utf8), filename: "x.bin").contentType == "image/gif")
        #expect(FormPart.file("a", path: "/x/y.png").filename == "y.png")
        #expect(FormPart.file("a", path: "/x/y.png").contentType == "image/png")
        #expect(FormPart.file("a", path: "/x/y.png", filename: "z").contentType == "image/png")
        #expect(FormPart.file("a", path: "/").filename == "/")
        #expect(FormPart.file("a", path: "/x/y.png", filename: "z.gif").contentType == "image/gif")
        #expect(FormPart.file("a", path: "/x").contentType == "application/octet-stream")
        #expect(FormPart.text("a", "x").contentType == nil)
        #expect(FormPart.json("a", 1).contentType == "application/json")
        #expect(FormPart.stream("a", ChunkFeed([])).contentType == "application/octet-stream")
        var form = MultipartForm()
        form.append(.text("a", "x"))
        #expect(form.parts.count == 1)
        #expect(form.boundary == nil)
    }
}
