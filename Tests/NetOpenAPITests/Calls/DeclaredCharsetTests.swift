#if Server
import Foundation
import HTTPTypes
import NetHTTP
import NetOpenAPIRuntime
import NetTestServer
import NetTesting
import Testing

/// Text, JSON and forms are sent with the charset that the document declares.
@Suite(.timeLimit(.minutes(5))) struct DeclaredCharsetTests {
    private func run(_ stub: Stub, _ body: (TestServer, PostOfficeClient) async throws -> Void) async throws {
        let server = try await TestServer.start([stub])
        let client = HTTPClient(baseURL: server.baseURL)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(server, PostOfficeClient(client)))
        } catch {
            result = .failure(error)
        }
        await client.shutdown()
        await server.stop()
        try result.get()
    }

    @Test func textIsSentAndReadInTheCharsetOfTheDocument() async throws {
        // The response doesn't name a charset: that of the document applies.
        let stub = Stub(.post, "/notes") { .bytes($0.body, contentType: "text/plain") }
        try await run(stub) { server, api async throws in
            #expect(try await api.addNote(.init(payload: "café")) == "café")
            let sent = try #require(server.requests.first)
            #expect(sent.headers[.contentType] == "text/plain; charset=latin1")
            #expect(Array(sent.body) == [0x63, 0x61, 0x66, 0xe9])
        }
    }

    @Test func aCharsetThatTheResponseNamesCounts() async throws {
        let stub = Stub(
            .post, "/notes",
            StubResponse(headers: [.contentType: "text/plain; charset=utf-8"], body: .text("café €")))
        try await run(stub) { _, api async throws in
            #expect(try await api.addNote(.init(payload: "x")) == "café €")
        }
    }

    @Test func aCharacterThatTheCharsetLacksIsAnErrorBeforeAnythingIsSent() async throws {
        try await run(Stub(.post, "/notes", .text("x"))) { server, api async throws in
            let error = await #expect(throws: APIError<Never>.self) { try await api.addNote(.init(payload: "5 €")) }
            #expect(error?.netError?.code == .encoding)
            #expect(error?.netError?.message.contains("iso-8859-1") == true)
            #expect(server.requests.isEmpty)
        }
    }

    @Test func jsonUnderAnotherCharsetReadsTheSameInIt() async throws {
        try await run(Stub(.post, "/addresses", .text("ok"))) { server, api async throws in
            #expect(try await api.addAddress(.init(payload: .init(town: "Köln 😀"))) == "ok")
            let sent = try #require(server.requests.first)
            #expect(sent.headers[.contentType] == "application/json; charset=windows-1252")
            #expect(sent.body == Bytes(#"{"town":"K\u00f6ln \ud83d\ude00"}"#.utf8))
        }
    }

    @Test func partsHaveTheTypesOfTheDocumentAndOfTheirFiles() async throws {
        try await run(Stub(.post, "/parcels", .text("ok"))) { server, api async throws in
            let png = FormFile(Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
            _ = try await api.sendParcel(
                .init(
                    stamp: FormFile(Data("<svg/>".utf8), filename: "stamp.png"),
                    photos: [
                        FormFile(Data("x".utf8), filename: "a.JPG"), png, FormFile(Data("x".utf8)),
                        FormFile(Data("x".utf8), filename: "a.gif"),
                        FormFile(Data("x".utf8), filename: "a.jpg", contentType: "x/own"),
                    ], label: FormFile(Data("x".utf8)), note: "café"))
            let sent = try #require(server.requests.first)
            #expect(
                try await SentForm.lines(of: sent) == [
                    "stamp image/svg+xml 3c 73 76 67 2f 3e", "photos image/jpeg 78",
                    "photos image/png 89 50 4e 47 d a 1a a", "photos image/png 78", "photos image/gif 78",
                    "photos x/own 78", "label application/pdf 78", "note text/plain; charset=latin1 63 61 66 e9",
                ])
        }
    }
}

/// The contents of a multipart form, one part per line: its name, its type, its bytes.
private enum SentForm {
    static func lines(of request: LoggedRequest) async throws -> [String] {
        let boundary = try #require(request.headers[.contentType].flatMap { MediaType($0)?["boundary"] })
        var lines: [String] = []
        for try await part in try MultipartParts(ResponseBody(request.body), boundary: boundary) {
            let bytes = try await part.body.collect(upTo: 1000).map { String($0, radix: 16) }
            let type = part.headers[.contentType] ?? "none"
            lines.append("\(part.name ?? "") \(type) \(bytes.joined(separator: " "))")
        }
        return lines
    }
}
#endif
