import Foundation
import NetCore
import TestSupport
import Testing

private struct Broken: Error {}

@Suite struct RequestBodyTests {
    private func resolved(_ body: RequestBody) throws(NetError) -> (String, String?) {
        let resolved = try body.resolved(with: .standard)
        guard case .bytes(let bytes) = resolved.content else { return ("", resolved.contentType) }
        return (String(decoding: bytes, as: UTF8.self), resolved.contentType)
    }

    @Test func eachKindImpliesItsType() throws {
        #expect(try resolved(.bytes("b".utf8)) == ("b", "application/octet-stream"))
        #expect(try resolved(.bytes(Data("d".utf8), contentType: nil)) == ("d", nil))
        #expect(try resolved(.text("tü")) == ("tü", "text/plain; charset=utf-8"))
        #expect(try resolved(.json(["a": 1])) == (#"{"a":1}"#, "application/json"))
        #expect(try resolved(.form([QueryItem("a", "b +&")])) == ("a=b+%2B%26", "application/x-www-form-urlencoded"))
        #expect(try resolved(.none) == ("", nil))
    }

    @Test func aBodysOwnCodersWin() throws {
        struct Person: Encodable, Sendable { let firstName = "Ada" }
        #expect(try resolved(.json(Person(), coding: .snakeCaseISO8601)).0 == #"{"first_name":"Ada"}"#)
        #expect(try resolved(.json(Person())).0 == #"{"firstName":"Ada"}"#)
    }

    @Test func encodingErrorsDoNotContainValues() {
        struct Login: Encodable, Sendable { let password = "SECRET", factor = Double.nan }
        let error = #expect(throws: NetError.self) { try resolved(.json(["login": Login()])) }
        #expect(error?.code == .encoding)
        #expect(error?.phase == .preparing)
        #expect(error?.message.contains("factor") == true)
        #expect(error?.message.contains("SECRET") == false)
        #expect(throws: NetError.self) { try resolved(RequestBody { _ in throw Broken() }) }
        let own = NetError(.unsupported, phase: .preparing, message: "m")
        #expect(#expect(throws: NetError.self) { try resolved(RequestBody { _ in throw own }) }?.code == .unsupported)
    }

    @Test func aFormRefusesWhatAQueryRefuses() throws {
        let far = QueryItem.date("since", Date(timeIntervalSince1970: .infinity))
        let error = #expect(throws: NetError.self) { try resolved(.form([QueryItem("a", 1), far])) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.phase == .preparing)
        #expect(error?.message.contains("\"since\"") == true)
        #expect(error?.message.contains("form") == true)
        for value in ["a b", "ü", "a\n"] {
            let item = QueryItem("a", value, isEncoded: true)
            let error = #expect(throws: NetError.self) { try resolved(.form([item])) }
            #expect(error?.code == .invalidRequest)
            #expect(error?.message.contains("percent-encoded") == true)
        }
        #expect(try resolved(.form([QueryItem("a", "x+y%20z#&", isEncoded: true)])).0 == "a=x+y%20z#&")
        let near = QueryItem.date("since", Date(timeIntervalSince1970: 0))
        #expect(try resolved(.form([near])).0 == "since=1970-01-01T00%3A00%3A00Z")
    }

    @Test func aBodyWhoseMakingIsCancelledIsNoEncodingError() {
        let body = RequestBody { _ in throw CancellationError() }
        let error = #expect(throws: NetError.self) { try body.resolved(with: .standard) }
        #expect(error?.isCancellation == true)
    }

    @Test func textIsWrittenInItsCharset() throws {
        func bytes(_ body: RequestBody) throws -> ([UInt8], String?) {
            let resolved = try body.resolved(with: .standard)
            guard case .bytes(let bytes) = resolved.content else { return ([], resolved.contentType) }
            return (Array(bytes), resolved.contentType)
        }
        let cases: [(Charset, [UInt8], String)] = [
            (.utf8, [0xc3, 0xa9], "utf-8"), (.latin1, [0xe9], "iso-8859-1"), (.windows1252, [0xe9], "windows-1252"),
            (.utf16, [0xfe, 0xff, 0, 0xe9], "utf-16"), (.utf16BigEndian, [0, 0xe9], "utf-16be"),
            (.utf16LittleEndian, [0xe9, 0], "utf-16le"), (.utf32, [0, 0, 0xfe, 0xff, 0, 0, 0, 0xe9], "utf-32"),
            (.utf32BigEndian, [0, 0, 0, 0xe9], "utf-32be"), (.utf32LittleEndian, [0xe9, 0, 0, 0], "utf-32le"),
        ]
        for (charset, written, name) in cases {
            let (made, type) = try bytes(.text("é", charset: charset))
            #expect(made == written, "\(name)")
            #expect(type == "text/plain; charset=\(name)")
        }
        #expect(try bytes(.text("é", charset: .latin1, contentType: "text/csv")).1 == "text/csv")
    }

    private func bytes(_ body: RequestBody) throws -> [UInt8] {
        guard case .bytes(let bytes) = try body.resolved(with: .standard).content else { return [] }
        return Array(bytes)
    }

    @Test(
        "Text is written in the charset of its label",
        arguments: [
            ("text/plain; charset=latin1", [0xe9]), ("text/csv;Charset=\"ISO-8859-1\"", [0xe9]),
            ("text/plain; format=flowed; charset=utf-16le", [0xe9, 0]), ("text/html; charset=UTF-8", [0xc3, 0xa9]),
            ("text/html", [0xc3, 0xa9]), ("text/plain; format=flowed", [0xc3, 0xa9]), ("no media type", [0xc3, 0xa9]),
        ] as [(String, [UInt8])])
    func labeledText(contentType: String, written: [UInt8]) throws {
        let body = RequestBody.text("é", contentType: contentType)
        #expect(try bytes(body) == written)
        #expect(try body.resolved(with: .standard).contentType == contentType)
    }

    @Test(
        "A label that cannot be kept is an error",
        arguments: ["text/plain; charset=shift_jis", "text/plain; charset=us-ascii"])
    func labelThatCannotBeKept(contentType: String) {
        for body in [RequestBody.text("SECRETé", contentType: contentType)] {
            let error = #expect(throws: NetError.self) { try resolved(body) }
            #expect(error?.code == .encoding)
            #expect(error?.phase == .preparing)
            let name = contentType.split(separator: "=")[1]
            #expect(error?.message.contains(name) == true)
            #expect(error?.message.contains("SECRET") == false)
        }
    }

    @Test func jsonIsGoodInTheCharsetOfItsLabel() throws {
        func json(_ charset: String) throws -> [UInt8] {
            try bytes(.json(["é": "😀/\n"], contentType: "application/json; charset=\(charset)"))
        }
        #expect(try json("utf-8") == Array("{\"é\":\"😀/\\n\"}".utf8))
        for name in ["latin1", "us-ascii", "windows-1252"] {
            #expect(try json(name) == Array(#"{"\u00e9":"\ud83d\ude00/\n"}"#.utf8))
        }
        #expect(try Charset.utf16BigEndian.decode(Bytes(json("utf-16be"))) == "{\"é\":\"😀/\\n\"}")
        #expect(#expect(throws: NetError.self) { try json("koi8-r") }?.code == .encoding)
    }

    @Test(
        "A character that the charset lacks is an error",
        arguments: [("é", Charset.ascii), ("€", .latin1), ("ж", .windows1252)])
    func missingCharacter(text: String, charset: Charset) {
        let error = #expect(throws: NetError.self) { try resolved(.text("SECRET\(text)", charset: charset)) }
        #expect(error?.code == .encoding)
        #expect(error?.phase == .preparing)
        #expect(error?.message.contains(charset.name) == true)
        #expect(error?.message.contains("SECRET") == false)
    }

    @Test func aStreamIsMadeAnewForEachAttempt() async throws {
        let feed = ChunkFeed(["a", "b"])
        let body = try RequestBody.stream(feed, length: 2, isReplayable: true).resolved(with: .standard)
        guard case .stream(let length, let isReplayable, let make) = body.content else {
            Issue.record("a stream stays a stream")
            return
        }
        #expect(length == 2)
        #expect(isReplayable)
        #expect(body.contentType == "application/octet-stream")
        for _ in 0..<2 {
            let bytes = try await ResponseBody(source: make()).collect(upTo: 9)
            #expect(bytes == Bytes("ab".utf8))
        }
        #expect(feed.log.iterators == 2)
    }
}
