import HTTPTypes
import NetCore
import Testing

@Suite struct ResponseSerializerTextTests {
    private func read(
        _ serializer: ResponseSerializer<String>, _ bytes: [UInt8], type: String?
    ) throws -> String {
        var headers = HTTPFields()
        headers[.contentType] = type
        return try serializer.convert(
            ResponseHead(status: .ok, headers: headers), Bytes(bytes), SerializationContext())
    }

    @Test func theGivenCharsetWinsThenTheNamedOneThenTheFallback() throws {
        #expect(try read(.string, [0xe9], type: "text/plain; charset=\"ISO-8859-1\"") == "é")
        #expect(try read(.string, [0xc3, 0xa9], type: "text/plain") == "é")
        #expect(try read(.string, [0xc3, 0xa9], type: nil) == "é")
        #expect(try read(.string(fallback: .windows1252), [0x80], type: "text/plain") == "€")
        #expect(try read(.string(fallback: .windows1252), [0xc3, 0xa9], type: "a/b;charset=utf-8") == "é")
        #expect(try read(.string, [0xe9], type: "text/plain; charset = iso-8859-1; format") == "é")
        #expect(try read(.string(charset: .latin1), [0xe9], type: "text/plain; charset=utf-8") == "é")
        #expect(try read(.string, [0xff, 0xfe, 0x61, 0], type: "text/plain; charset=utf-16") == "a")
    }

    @Test func ofSeveralTypesTheLastCounts() throws {
        var headers: HTTPFields = [.contentType: "text/plain; charset=utf-8"]
        for type in ["text/html; charset=iso-8859-1", "no type"] {
            headers.append(HTTPField(name: .contentType, value: type))
        }
        let serializer = ResponseSerializer<String>.string
        let head = ResponseHead(status: .ok, headers: headers)
        #expect(try serializer.convert(head, Bytes([0xe9]), SerializationContext()) == "é")
        #expect(try read(.string, [0xe9], type: "text/plain; charset=\"latin1\"; a=\"b,c\"") == "é")
    }

    @Test func aCharsetMayStandInSingleQuotes() throws {
        #expect(try read(.string, [0xe9], type: "text/plain; charset='latin1'") == "é")
        #expect(throws: (any Error).self) { try read(.string, [0xe9], type: "text/plain; charset=''") }
    }

    @Test func decodingErrorsNameTheCharset() {
        let unknown = #expect(throws: (any Error).self) { try read(.string, [1], type: "text/plain; charset=klingon") }
        #expect(unknown.map { "\($0)" }?.contains("klingon") == true)
        let invalid = #expect(throws: (any Error).self) { try read(.string, [0xff], type: nil) }
        #expect(invalid.map { "\($0)" }?.contains("utf-8") == true)
    }
}
