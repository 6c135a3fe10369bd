import HTTPTypes
import Testing

@testable import NetCore

@Suite struct FieldValueReaderTests {
    private let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)

    private func text(_ byte: UInt8) -> String { String(Unicode.Scalar(byte)) }

    @Test func everyByteIsInAClassOrNot() {
        let tokens = Set(letters + Array("!#$%&'*+-.^_`|~".utf8))
        let tokens68 = Set(letters + Array("-._~+/".utf8))
        for byte in UInt8.min ... .max {
            #expect(FieldValueReader.isTokenByte(byte) == tokens.contains(byte), "\(byte)")
            guard byte < 128 else { continue }
            #expect(FieldValueReader.isToken(text(byte)) == tokens.contains(byte), "\(byte)")
            #expect(FieldValueReader.canQuote("a\(text(byte))") == ((byte >= 32 && byte < 127) || byte == 9), "\(byte)")
            var reader = FieldValueReader("a\(text(byte))b")
            let isBlank = byte == 32 || byte == 9
            let expected = tokens68.contains(byte) ? "a\(text(byte))b" : byte == UInt8(ascii: ",") ? "a" : nil
            #expect(isBlank || reader.token68() == expected, "\(byte)")
        }
        #expect(FieldValueReader.canQuote("é"))
        #expect(!FieldValueReader.isToken(""))
        #expect(FieldValueReader.canQuote(""))
    }

    @Test(
        arguments: [
            ("abc", "abc", true), ("abc==", "abc==", true), ("=", nil, true), ("abc= ,x", "abc=", false),
            ("a b", nil, false), ("a=b", nil, false), ("", nil, true), (",", nil, false),
        ] as [(String, String?, Bool)])
    func credentialsInBase64EndWithAnElement(_ text: String, _ value: String?, _ isAtEnd: Bool) {
        var reader = FieldValueReader(text)
        #expect(reader.token68() == value)
        #expect(reader.isAtEnd == isAtEnd)
    }

    @Test(
        arguments: [
            (#""a b""#, "a b", "a b"), (#""""#, "", ""), (#""a\"b""#, #"a"b"#, #"a"b"#),
            (#""a\\b""#, #"a\b"#, #"a\\b"#),
            (#""a\b""#, "ab", #"a\b"#), ("\"a", nil, nil), ("a\"", nil, nil), ("\"a\\", nil, nil),
            ("\"a\u{1f}\"", nil, nil),
            ("\"a\u{7f}\"", nil, nil), ("\"a\tb \"", "a\tb ", "a\tb "), ("\"é\"", "é", "é"), ("\"\\\n\"", nil, nil),
        ] as [(String, String?, String?)])
    func quotedStringsAreRead(_ text: String, _ value: String?, _ kept: String?) {
        var reader = FieldValueReader(text)
        #expect(reader.quotedString() == value)
        var keeping = FieldValueReader(text)
        #expect(keeping.quotedString(keepingBackslashes: true) == kept)
    }

    @Test(
        arguments: [
            (" \t a", "a"), ("a", "a"), ("", nil), ("a/b", "a"), ("/", nil),
        ] as [(String, String?)])
    func blanksAtTheStartAreSkipped(_ text: String, _ token: String?) {
        var reader = FieldValueReader(text)
        #expect(reader.token() == token)
    }

    @Test func anElementEndsAtACommaOutsideQuotes() {
        for (text, rest) in [
            ("a,b", ",b"), ("\"a,\",b", ",b"), (#""\",",b"#, ",b"), (#""\\",b"#, ",b"), ("a", ""), ("\"a,b", ""),
            (",a", ",a"),
            // Outside of quotes a backslash escapes nothing.
            (#"\"a,b""#, ""), (#"\,b"#, ",b"),
        ] {
            var reader = FieldValueReader(text)
            #expect(reader.isAtElementEnd == (text.first == ","))
            reader.skipElement()
            #expect(reader.isAtElementEnd, "\(text)")
            #expect(reader.isAtEnd == rest.isEmpty, "\(text)")
            if !rest.isEmpty {
                #expect(reader.skip(",") == true)
                #expect(reader.skip(",") == false)
                #expect(reader.bareValue() == rest.dropFirst())
            }
        }
    }

    @Test func aTargetStandsInAngleBrackets() {
        var reader = FieldValueReader("<a b>;<c")
        #expect(reader.angled() == "a b")
        #expect(reader.angled() == nil)
        #expect(reader.skip(";") == true)
        #expect(reader.angled() == nil, "no further bracket is looked for")
        #expect(reader.angled() == nil, "no further bracket is looked for")
        #expect(reader.token() == "c")
        #expect(reader.isAtEnd)
        var none = FieldValueReader("a")
        #expect(none.angled() == nil)
        #expect(none.token() == "a")
        var empty = FieldValueReader("<>")
        #expect(empty.angled()?.isEmpty == true)
        #expect(empty.isAtEnd)
    }

    @Test func valuesEndAtTheirSeparators() {
        for separator in [" ", "\t", ";", ","] {
            var reader = FieldValueReader("ab\"=\(separator)c")
            #expect(reader.bareValue() == "ab\"=")
            #expect(!reader.isAtEnd)
        }
        var text = FieldValueReader("  a b \t;c")
        #expect(text.text(before: ";=") == "a b")
        #expect(text.skip(";") == true)
        #expect(text.text(before: ";") == "c")
        #expect(text.isAtEnd)
        var blank = FieldValueReader("")
        #expect(blank.text(before: ";").isEmpty)
        #expect(blank.bareValue().isEmpty)
    }

    @Test func parametersAreReadUpToTheirLimit() {
        func parameters(_ text: String) -> [String]? {
            var reader = FieldValueReader(text)
            return reader.parameters()?.map { "\($0.name)=\($0.value)" }
        }
        #expect(parameters("; A=1 ;b=\"x y\";; c=3") == ["a=1", "b=x y", "c=3"])
        #expect(parameters("")?.isEmpty == true)
        #expect(parameters(";a=1;A=2") == ["a=1"])
        #expect(parameters(";a") == nil)
        #expect(parameters(";a=") == nil)
        #expect(parameters(";a=\"x") == nil)
        let many = (0..<300).map { ";a\($0)=1" }.joined()
        #expect(parameters(many)?.count == 256)
        var received = FieldValueReader(many)
        #expect(received.receivedParameters()?.count == 256)
        var odd = FieldValueReader(" ; a = b c ; d ; =e; f=\"g\" h; a=2; i= ; j=\"k")
        #expect(odd.receivedParameters()?.map { "\($0.name)=\($0.value)" } == ["a=b c", "f=g", "j=k"])
        var junk = FieldValueReader("x; a=1")
        #expect(junk.receivedParameters() == nil)
        var control = FieldValueReader("; a=\u{1}")
        #expect(control.receivedParameters() == nil)
    }

    @Test func textIsQuotedWhereItMustBe() {
        #expect(FieldValueReader.quoted("abc") == "abc")
        #expect(FieldValueReader.quoted("a b") == "\"a b\"")
        #expect(FieldValueReader.quoted("") == "\"\"")
        #expect(FieldValueReader.inQuotes(#"a"b\c"#) == #""a\"b\\c""#)
    }
}

@Suite struct EntityTagTests {
    @Test(
        arguments: [
            (#""a", W/"b" , c"#, [#""a""#, #"W/"b""#, "c"]), ("*", ["*"]), ("", []), (",,", []), (#"W/c"#, ["c"]),
            (#""a,b","c"#, [#""a,b""#]), (#""a"x, "b""#, [#""a""#, #""b""#]), (#"W"#, []), (#""a\",b""#, [#""a",b""#]),
        ] as [(String, [String])])
    func tagsOfAListAreRead(_ text: String, _ tags: [String]) {
        #expect(EntityTags.list(text) == tags)
    }

    @Test(
        arguments: [
            (#""a""#, #"W/"a""#, true), (#""a""#, "a", true), (#"W/"a""#, "W/a", true), (#""a""#, #""b""#, false),
            ("\"", "", false), ("\"\"", "", true), ("w/\"a\"", "\"a\"", false), ("\"a", "a", false),
            ("a\"", "a", false),
        ] as [(String, String, Bool)])
    func tagsAreComparedWeakly(_ left: String, _ right: String, _ isSame: Bool) {
        #expect(EntityTags.isSame(left, right) == isSame)
        #expect(EntityTags.isSame(right, left) == isSame)
    }
}

@Suite struct ExtendedValueTests {
    @Test func everyByteIsWrittenSoThatItIsReadBack() {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$&+-.^_`|~".utf8)
        for byte in UInt8(0)..<128 {
            let text = String(Unicode.Scalar(byte))
            let hex = String(byte, radix: 16, uppercase: true)
            let written = plain.contains(byte) ? text : "%\(byte < 16 ? "0" : "")\(hex)"
            #expect(ExtendedValue.encode(text) == "UTF-8''" + written)
            #expect(ExtendedValue.decode(ExtendedValue.encode(text)) == text)
            #expect(ExtendedValue.decode("utf-8'en'" + text) == (plain.contains(byte) ? text : nil))
        }
        #expect(ExtendedValue.encode("é") == "UTF-8''%C3%A9")
    }

    @Test(
        arguments: [
            ("UTF-8''%41%4a%4A", "AJJ"), ("UTF-8''%4", nil), ("UTF-8''%", nil), ("UTF-8''%g0", nil),
            ("UTF-8''%0g", nil),
            ("UTF-8'%41", nil), ("iso-8859-1'x'%e9", "é"), ("us-ascii''a", nil), ("UTF-8''%ff", nil), ("UTF-8''", ""),
            ("UTF-8''a'b", nil), ("UTF-8''%/0", nil), ("UTF-8''%:0", nil), ("UTF-8''%@0", nil), ("UTF-8''%`0", nil),
            ("UTF-8''%G0", nil),
        ] as [(String, String?)])
    func onlyWellFormedValuesAreDecoded(_ text: String, _ value: String?) {
        #expect(ExtendedValue.decode(text) == value)
    }
}

@Suite struct FieldEdgesTests {
    @Test(
        arguments: [
            (0.0, ";q=0"), (0.0004, ";q=0"), (0.0005, ";q=0.001"), (0.001, ";q=0.001"), (0.01, ";q=0.01"),
            (0.1, ";q=0.1"),
            (0.12, ";q=0.12"), (0.123, ";q=0.123"), (0.999, ";q=0.999"), (0.9994, ";q=0.999"), (0.9995, ""), (1.0, ""),
            (1.1, ""), (-0.1, ";q=0"),
        ] as [(Double, String)])
    func aWeightHasThreePlaces(_ quality: Double, _ text: String) {
        #expect(Weighted("a", quality: quality).description == "a" + text)
        var changed = Weighted("a")
        #expect(changed.quality == 1)
        changed.quality = quality
        #expect(changed.description == "a" + text)
        #expect((0...1).contains(changed.quality))
    }

    @Test(
        arguments: [
            ("a;q=1", ["a"]), ("a;q=0", ["a;q=0"]), ("a;q=1.1", []), ("a;q=-1", []), ("q=0.5", ["q=0.5"]),
            ("a;b=c;q=0.5;d=e", ["a;b=c;q=0.5"]), ("a \t,\tb", ["a", "b"]), ("\"a,b\",c", ["\"a,b\"", "c"]),
            ("\"a\\\",b\",c", ["\"a\\\",b\"", "c"]), ("\"a\\\\\",c", ["\"a\\\\\"", "c"]), ("a;;b", ["a;b"]),
            ("a; b=\"c;d\" ; q=0.2", ["a;b=\"c;d\";q=0.2"]),
        ] as [(String, [String])])
    func weightedValuesAreRead(_ text: String, _ values: [String]) {
        #expect(Weighted.list(text).map(\.description) == values)
    }

    @Test func rangesAreReadToTheirEdges() {
        let most = (1 << 62) - 1
        #expect(RequestedRange("bytes=0-\(most)") == .from(0, to: Int64(most)))
        #expect(RequestedRange("bytes=0-\(most + 1)") == nil)
        #expect(RequestedRange("bytes=\(most + 1)-") == nil)
        #expect(RequestedRange("bytes=-\(most + 1)") == nil)
        #expect(RequestedRange("bytes=\t3-3 ") == .from(3, to: 3))
        #expect(RequestedRange("bytes=/-1") == nil)
        #expect(RequestedRange("bytes=:-1") == nil)
        for (range, total, expected) in [
            (RequestedRange.from(0, to: nil), 1, 0..<1), (.from(0, to: 0), 5, 0..<1), (.from(0, to: 4), 5, 0..<5),
            (.from(0, to: 5), 5, 0..<5), (.from(4, to: nil), 5, 4..<5), (.from(5, to: 9), 5, nil), (.last(1), 5, 4..<5),
            (.last(5), 5, 0..<5), (.last(6), 5, 0..<5), (.last(1), 1, 0..<1), (.from(0, to: nil), 0, nil),
        ] as [(RequestedRange, Int64, Range<Int64>?)] {
            #expect(range.resolved(total: total) == expected)
        }
        #expect(ContentRange("bytes 0-0/1") == ContentRange(bytes: 0..<1, total: 1))
        #expect(ContentRange("BYTES\t5-5/6")?.value == "bytes 5-5/6")
        #expect(ContentRange("bytes 0-0/0") == nil)
        #expect(ContentRange(bytes: 2..<4, total: nil).value == "bytes 2-3/*")
        for text in ["bytes 1-2/3/4", "bytes 1-2-3/9", "bytes  ", "bytes 1-/9", "bytes 1-2/", "bytes 1-2/x", "a b c"] {
            #expect(ContentRange(text) == nil, "\(text)")
        }
    }

    @Test func targetsOfLinksArePercentEncoded() throws {
        for byte in UInt8(0)..<128 {
            let link = LinkHeader.Link("a" + String(Unicode.Scalar(byte)), relations: [])
            let isWritten = (try? LinkHeader([link]).serialized()) != nil
            #expect(isWritten == (byte > 32 && byte < 127 && !"<>\"".utf8.contains(byte)), "\(byte)")
        }
        #expect((try? LinkHeader([.init("é", relations: [])]).serialized()) == nil)
        #expect((try? LinkHeader([.init("a", relations: [""])]).serialized()) == nil)
        #expect(
            try LinkHeader([.init("a", relations: [], parameters: [.init("t*", "a b"), .init("t", "a")])]).serialized()
                == #"<a>; t*="a b"; t="a""#)
        #expect(LinkHeader.maximumBytes == 65_536)
        #expect(LinkHeader.maximumLinks == 1000)
    }

    @Test func blanksMayStandBetweenThePartsOfALink() throws {
        let link = LinkHeader(" <a>\t; rel \t=\t \"next\tlast\" ; title = x ;flag; b=\"1\" junk, <b>;rel=up").links
        try #require(link.count == 2)
        #expect(link[0].relations == ["next", "last"])
        #expect(link[0].title == "x")
        #expect(link[0].parameters == [.init("title", "x"), .init("flag", ""), .init("b", "1")])
        #expect(link[1].relations == ["up"])
        #expect(link[1]["x"] == nil)
        #expect(link[1].title == nil)
        let long = "<a>;rel=\(String(repeating: "a", count: LinkHeader.maximumBytes - 8))"
        #expect(LinkHeader(lines: [long, "<b>"]).links.count == 2)
        #expect(LinkHeader(lines: [long + "a", "<b>"]).links.count == 1)
        #expect(LinkHeader(Array(repeating: "<a>", count: 1000).joined(separator: ",")).links.count == 1000)
        #expect(LinkHeader("<a>; anchor=x; rel=next, <b>; rel=next")["next"]?.target == "b")
        #expect(LinkHeader("<a>; title*=b; title=c")["none"] == nil)
        #expect(LinkHeader("<a>; title*=b; title=c").links[0].title == "c")
    }

    @Test func dispositionsAreWrittenForTheirReaders() {
        #expect(ContentDisposition(kind: "FORM-Data").value == "form-data")
        #expect(ContentDisposition(kind: "attachment", name: "a\\\"").value == #"attachment; name="a\\\"""#)
        #expect(
            ContentDisposition(kind: "form-data", name: "a\\\"", filename: "é").value
                == #"form-data; name="a\%22"; filename="é""#)
        #expect(
            ContentDisposition(kind: "attachment", filename: "é\u{1}").value
                == #"attachment; filename="_%01"; filename*=UTF-8''%C3%A9%01"#)
        for (scalar, text) in [("\0", "%00"), ("\u{1f}", "%1F"), (" ", " "), ("~", "~"), ("\u{7f}", "%7F")] {
            #expect(ContentDisposition(kind: "a", name: scalar).value == "a; name=\"\(text)\"")
        }
        #expect(HTTPFields().disposition == nil)
    }

    @Test func authorizationsHaveASchemeThenASpace() throws {
        #expect(Authorization(" Basic  abc")?.credentials == "abc")
        #expect(Authorization("Basic\tabc") == nil)
        #expect(Authorization("Basic=abc") == nil)
        #expect(Authorization("Basic")?.credentials.isEmpty == true)
        #expect(try Authorization(scheme: "A", credentials: "").value == "A")
        #expect(throws: NetError.self) { try Authorization(scheme: "A", credentials: " b") }
        for (byte, isValid) in [(31, false), (32, true), (126, true), (127, false)] as [(UInt8, Bool)] {
            let password = String(Unicode.Scalar(byte))
            #expect(((try? Authorization.basic(user: "u", password: password)) != nil) == isValid, "\(byte)")
        }
        #expect((try Authorization.basic(user: "", password: "")).value == "Basic Og==")
    }

    @Test func namesOfOriginsOwnFieldsStayBehind() {
        #expect(HTTPField.Name.accept.mayGoToAnyOrigin)
        #expect(!HTTPField.Name.authorization.mayGoToAnyOrigin)
        #expect(InvalidName.literal(of: .accept) == nil)
        #expect(InvalidName.literal(of: "a b") == "a b")
        #expect(InvalidName.literal(of: "é") == "é")
    }

    @Test func namesOfAHeaderBlockAreFoundInAnyCase() {
        let block = HeaderBlock(Array("AZ-[: 1\nX-AZ: 2\nX-aZ:\n  3\r\n\tx \r\n".utf8))
        #expect(block["x-az"] == "2, 3 x")
        #expect(block.mayHaveContentEncoding)
        #expect(HeaderBlock(Array("cookie: a\ncookie: b".utf8))[.cookie] == "a; b")
        #expect(!HeaderBlock([], mayHaveContentEncoding: false).mayHaveContentEncoding)
        let head = ResponseHead(
            status: .ok, version: "", block: HeaderBlock([], mayHaveContentEncoding: false))
        #expect(!head.mayHaveContentEncoding)
        #expect(ResponseHead(status: .ok).mayHaveContentEncoding)
        #expect(head.description == "HTTP/? 200 OK")
        #expect(ResponseHead(status: .ok, version: "2").description == "HTTP/2 200 OK")
    }
}
