import Foundation
import HTTPTypes
import NetTesting
import TestSupport
import Testing

@testable import NetCore

@Suite(.timeLimit(.minutes(2))) struct MultipartFormTests {
    private func bytes(_ body: RequestBody) async throws -> (Bytes, type: String, length: Int64?, isReplayable: Bool) {
        let resolved = try body.resolved(with: .standard)
        let type = resolved.contentType ?? ""
        switch resolved.content {
        case .none: return (Bytes(), type, 0, true)
        case .bytes(let bytes): return (bytes, type, Int64(bytes.count), true)
        case .stream(let length, let isReplayable, let make):
            let bytes = try await ResponseBody(source: make()).collect(upTo: 1 << 26)
            return (bytes, type, length, isReplayable)
        }
    }

    private static let reader = """
        import email, email.policy, json, sys, base64
        kind, body = json.load(sys.stdin)
        raw = b"Content-Type: " + kind.encode() + b"\\r\\n\\r\\n" + base64.b64decode(body)
        m = email.message_from_bytes(raw, policy=email.policy.HTTP)
        assert m.is_multipart() and not m.defects, m.defects
        print(json.dumps([[p.get_param("name", header="content-disposition"), p.get_filename(), p.get_content_type(),
            base64.b64encode(p.get_payload(decode=True)).decode()] for p in m.iter_parts()]))
        """

    @Test(arguments: [
        ("a\nb", "a\r\nb"), ("a\rb", "a\r\nb"), ("a\r\nb", "a\r\nb"), ("\n\r\n\r\r", "\r\n\r\n\r\n\r\n"),
        ("\n\n", "\r\n\r\n"), ("a\u{e}\nb\u{b}", "a\u{e}\r\nb\u{b}"), ("ab", "ab"), ("", ""),
    ])
    func everyLineEndIsThatOfTheNetwork(text: String, expected: String) {
        #expect(text.withNetworkLineEnds == expected)
    }

    @Test func pythonReadsEveryKindOfPart() async throws {
        let folder = try TemporaryFolder()
        let large = Data((0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let path = try folder.write(large, to: "cat.png")
        let parts: [FormPart] = [
            .text("caption", "A cat\nand more"), .data("raw", Bytes([0, 13, 10, 255]), filename: "raw.bin"),
            .json("meta", ["k": 1]), .file("photo", path: path),
            .stream("live", ChunkFeed(["ab", "cd"]), length: 4, filename: "live.txt", contentType: "text/plain"),
            .data("sniffed", Bytes("%PDF-1.4".utf8), filename: "noext"),
        ]
        let made = try await bytes(.multipart(parts))
        #expect(made.length == Int64(made.0.count))
        #expect(!made.isReplayable)
        struct Input: Encodable {
            let kind: String, body: Data
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try container.encode(kind)
                try container.encode(body.base64EncodedString())
            }
        }
        let read = try await Tool.python(Self.reader, Input(kind: made.type, body: made.0.data), as: [[String?]].self)
        let expected: [(String, String?, String, Data)] = [
            ("caption", nil, "text/plain", Data("A cat\r\nand more".utf8)),
            ("raw", "raw.bin", "application/octet-stream", Data([0, 13, 10, 255])),
            ("meta", nil, "application/json", Data(#"{"k":1}"#.utf8)), ("photo", "cat.png", "image/png", large),
            ("live", "live.txt", "text/plain", Data("abcd".utf8)),
            ("sniffed", "noext", "application/pdf", Data("%PDF-1.4".utf8)),
        ]
        try #require(read.count == expected.count)
        for (row, part) in zip(read, expected) {
            #expect(row[0] == part.0, "\(row.prefix(3))")
            #expect(row[1] == part.1, "\(row.prefix(3))")
            #expect(row[2] == part.2, "\(row.prefix(3))")
            #expect(Data(base64Encoded: row[3] ?? "") == part.3)
        }
    }

    @Test func aFormOfFilesAndBytesCanBeSentAgain() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Data("x".utf8), to: "f")
        let body = RequestBody.multipart([.file("a", path: path), .text("b", "c")], boundary: "B")
        let (first, second) = (try await bytes(body), try await bytes(body))
        #expect(first.isReplayable)
        #expect(first.0 == second.0)
        #expect(first.length == Int64(first.0.count))
        #expect(first.type == "multipart/form-data; boundary=B")
        let unknown = try await bytes(.multipart([.stream("a", ChunkFeed(["ab"]))]))
        #expect(unknown.length == nil)
        #expect(!unknown.isReplayable)
        let again = try await bytes(.multipart([.stream("a", ChunkFeed(["ab"]), isReplayable: true)]))
        #expect(again.isReplayable)
    }

    @Test(
        "Parts that cannot be encoded are rejected before anything is sent",
        arguments: [
            FormPart.text("", "x"), .text("a\0", "x"), .data("a", Bytes(), filename: "\u{1b}"),
            .data("a", Bytes(), contentType: "text/plain\r\nX: y"), .data("a", Bytes(), contentType: ""),
            .text("a", "x", contentType: "text/plain; x=\"a\r\nX: y\r\n\r\nz\""),
            .text("a", "x", contentType: "no type"), .file("a", path: "/absent"), .file("a", path: "/dev/null"),
            .json("a", Double.nan),
        ])
    func refused(part: FormPart) {
        let error = #expect(throws: NetError.self) { try RequestBody.multipart([part]).resolved(with: .standard) }
        #expect(error?.code == .encoding)
        #expect(error?.phase == .preparing)
    }

    @Test(
        "A boundary that is none is refused",
        arguments: [
            "", "a b ", "a\"b", "ä", "a\r\n", String(repeating: "x", count: 71), "in-part",
        ])
    func badBoundary(boundary: String) {
        let error = #expect(throws: NetError.self) {
            try RequestBody.multipart([.text("a", "--in-part")], boundary: boundary).resolved(with: .standard)
        }
        #expect(error?.code == .encoding)
    }

    @Test func aBoundaryIsQuotedWhereItMustBe() async throws {
        let made = try await bytes(.multipart([.text("a", "b")], boundary: "a b:c"))
        #expect(made.type == "multipart/form-data; boundary=\"a b:c\"")
        #expect(MediaType(made.type)?["boundary"] == "a b:c")
    }

    @Test func aRandomBoundaryOccursInNoPartAndDiffersBetweenBodies() async throws {
        let same = NetRandom { 7 }
        let first = try await bytes(.multipart([.text("a", "b")], random: same)).type
        let boundary = try #require(MediaType(first)?["boundary"])
        let other = try await bytes(.multipart([.text("a", "--\(boundary)")], random: same)).type
        #expect(other != first)
        #expect(MediaType(other)?["boundary"]?.hasPrefix(boundary) == true)
        let types = try await [bytes(.multipart([.text("a", "b")])).type, bytes(.multipart([.text("a", "b")])).type]
        #expect(types[0] != types[1])
    }

    @Test func aTypeThatIsNotGivenIsFoundByTheNameThenByTheBytes() {
        let png = Bytes([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
        #expect(FormPart.data("a", png, filename: "x.bin").contentType == "image/png")
        #expect(FormPart.data("a", png).contentType == "image/png")
        #expect(FormPart.data("a", png, filename: "x.csv").contentType == "text/csv")
        #expect(FormPart.data("a", Data([1])).contentType == "application/octet-stream")
        #expect(FormPart.file("a", path: "/x/y.PDF").contentType == "application/pdf")
        #expect(FormPart.file("a", path: "/x/y.pdf", filename: "z").contentType == "application/pdf")
        #expect(FormPart.file("a", path: "/x/y.pdf").filename == "y.pdf")
    }

    @Test func furtherFieldsOfAPartAreSent() async throws {
        var part = FormPart.text("a", "b")
        part.headers = [.contentLanguage: "de"]
        let made = try await bytes(.multipart([part], boundary: "B"))
        #expect(String(decoding: made.0, as: UTF8.self).contains("name=\"a\"\r\nContent-Language: de\r\n\r\nb\r\n"))
        part.headers = [.contentType: "x/y"]
        #expect(throws: NetError.self) { try RequestBody.multipart([part]).resolved(with: .standard) }
    }

    @Test(arguments: [(3, "ended after 2 of"), (1, "longer than")])
    func aPartOfAnotherLengthThanItSaidFailsTheBody(length: Int64, message: String) async throws {
        let body = RequestBody.multipart([.stream("a", ChunkFeed(["ab"]), length: length)])
        let error = await #expect(throws: NetError.self) { try await bytes(body) }
        #expect(error?.code == .encoding)
        #expect(error?.message.contains(message) == true)
    }

    @Test func aPartThatFailsMidwayFailsTheBodyAndNoBoundaryFollows() async throws {
        struct Broken: Error {}
        let body = RequestBody.multipart(
            [.stream("a", ChunkFeed(["ab"], end: .fail(Broken()))), .text("b", "c")], boundary: "B")
        let resolved = try body.resolved(with: .standard)
        guard case .stream(_, _, let make) = resolved.content else { return }
        let source = try make()
        var text = ""
        let error = await #expect(throws: NetError.self) {
            while let chunk = try await source.next() { text += String(decoding: chunk, as: UTF8.self) }
        }
        #expect(error?.code == .encoding)
        #expect(text.hasSuffix("\r\n\r\nab"))
        #expect(!text.contains("B--"))
    }

    @Test func cancellingTheBodyCancelsThePartThatIsRead() async throws {
        let feed = ChunkFeed(["ab"], end: .wait)
        let resolved = try RequestBody.multipart([.stream("a", feed)]).resolved(with: .standard)
        guard case .stream(_, _, let make) = resolved.content else { return }
        let source = try make()
        _ = try await source.next()
        _ = try await source.next()
        let waiting = Task { try await source.next() }
        #expect(await eventually { feed.log.asked == 2 })
        source.cancel()
        #expect(await eventually { feed.log.cancelled == 1 })
        await #expect(throws: NetError.self) { try await waiting.value }
        await #expect(throws: NetError.self) { try await source.next() }
    }

    @Test func lengthsThatCannotBeAreRefused() throws {
        let cases: [([Int64], String)] = [([-1], "negative"), ([.max], "64 bits"), ([1, .max - 1], "64 bits")]
        for (lengths, what) in cases {
            let parts = lengths.map { FormPart.stream("a", ResponseBody(), length: $0) }
            let error = #expect(throws: NetError.self) { try RequestBody.multipart(parts).resolved(with: .standard) }
            #expect(error?.code == .encoding)
            #expect(error?.message.contains(what) == true)
        }
    }

    @Test func aContentTypeOfTheRequestMustNotReplaceTheBoundary() throws {
        let builder = RequestBuilder(
            baseURL: "https://h", defaultHeaders: [.contentType: "client/type"], coding: .standard)
        func request(_ type: String?) -> Request<Void> {
            var headers = HTTPFields()
            headers[.contentType] = type
            let body = RequestBody.multipart([.text("a", "b")], boundary: "B")
            return Request("x", method: .post, headers: headers, body: body)
        }
        #expect(try builder.prepare(request(nil)).head.headerFields[.contentType] == "multipart/form-data; boundary=B")
        let related = "multipart/related; boundary=\"B\""
        #expect(try builder.prepare(request(related)).head.headerFields[.contentType] == related)
        for type in ["multipart/form-data", "application/json", "multipart/form-data; boundary=C"] {
            let error = #expect(throws: NetError.self) { try builder.prepare(request(type)) }
            #expect(error?.code == .invalidRequest)
            #expect(error?.message.contains("boundary") == true)
        }
    }
}
