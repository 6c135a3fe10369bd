import HTTPTypes
import NetTesting
import Testing

@testable import NetCore

@Suite(.timeLimit(.minutes(1))) struct MultipartPartsTests {
    private let text =
        "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--B\r\nContent-Type: a/b\r\n\r\ntwo\r\n--B--"

    private func dripping(_ text: String) -> ResponseBody {
        ResponseBody(source: ScriptedSource(text.map { String($0) }))
    }

    @Test func partsAndTheirBodiesArriveInTurn() async throws {
        for body in [dripping(text), ResponseBody(Bytes(text.utf8))] {
            var read: [String] = []
            for try await part in try MultipartParts(body, boundary: "B") {
                let bytes = try await part.body.collect(upTo: 100)
                read.append(
                    "\(part.name ?? "-") \(part.mediaType?.description ?? "-") \(String(decoding: bytes, as: UTF8.self))"
                )
            }
            #expect(read == ["a - one", "- a/b two"])
        }
    }

    @Test func theTypeOfAPartIsReadAsThatOfAResponse() async throws {
        let text = "--B\r\nContent-Type: image/png; name=my photo.png\r\n\r\none\r\n--B--"
        for try await part in try MultipartParts(dripping(text), boundary: "B") {
            #expect(part.mediaType?.essence == "image/png")
            #expect(part.mediaType?["name"] == "my photo.png")
        }
    }

    @Test func unreadBytesOfAPartAreSkipped() async throws {
        var iterator = try MultipartParts(dripping(text), boundary: "B").makeAsyncIterator()
        let first = try #require(try await iterator.next())
        var chunks = first.body.makeAsyncIterator()
        #expect(try await chunks.next() == Bytes("o".utf8))
        let second = try #require(try await iterator.next())
        #expect(second.mediaType?.essence == "a/b")
        let error = await #expect(throws: NetError.self) { try await chunks.next() }
        #expect(error?.message.contains("part 1 is over") == true)
        #expect(try await second.body.collect(upTo: 9) == Bytes("two".utf8))
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    @Test func aBodyThatBreaksOffThrowsAndEndsTheTransfer() async throws {
        let source = ScriptedSource(["--B\r\n\r\nabc"])
        var iterator = try MultipartParts(ResponseBody(source: source), boundary: "B").makeAsyncIterator()
        let part = try #require(try await iterator.next())
        let error = await #expect(throws: NetError.self) { try await part.body.collect(upTo: 100) }
        #expect(error?.code == .decoding)
        #expect(source.isCancelled)
        #expect(try await iterator.next() == nil)
    }

    @Test func theTransfersOwnErrorComesThrough() async throws {
        let lost = NetError(.connectionLost, phase: .receiving, message: "lost")
        let source = ScriptedSource(["--B\r\n\r\nabc"], failure: lost)
        var iterator = try MultipartParts(ResponseBody(source: source), boundary: "B").makeAsyncIterator()
        _ = try await iterator.next()
        let error = await #expect(throws: NetError.self) { try await iterator.next() }
        #expect(error?.code == .connectionLost)
    }

    @Test func theSerializerTakesTheBoundaryFromTheContentType() async throws {
        func value(_ type: String?, _ body: String) throws -> MultipartParts {
            guard case .streamed(let convert) = ResponseSerializer.multipart.conversion else { fatalError() }
            var headers = HTTPFields()
            headers[.contentType] = type
            let head = ResponseHead(status: .partialContent, headers: headers)
            return try convert(head, ResponseBody(Bytes(body.utf8)), SerializationContext())
        }
        let ranges = "--B\r\nContent-Range: bytes 0-0/9\r\n\r\nx\r\n--B\r\nContent-Range: bytes 5-5/9\r\n\r\ny\r\n--B--"
        let loose = try value("multipart/mixed; type=a/b; boundary=--=B", "----=B\r\n\r\nx\r\n----=B--")
        var count = 0
        for try await part in loose { count += try await part.body.collect(upTo: 9).count }
        #expect(count == 1)
        var seen: [String?] = []
        for try await part in try value("multipart/byteranges; boundary=\"B\"", ranges) {
            seen.append(part.headers[.contentRange])
        }
        #expect(seen == ["bytes 0-0/9", "bytes 5-5/9"])
        for type in [
            nil, "text/plain", "multipart/mixed", "multipart/mixed; boundary=\"\"", "multipart/mixed; boundary",
        ] {
            #expect(throws: NetError.self) { try value(type, ranges) }
        }
        let nameless = try value("multipart/form-data; boundary=B", ranges)
        let error = await #expect(throws: NetError.self) { for try await _ in nameless {} }
        #expect(error?.code == .decoding)
        #expect(error?.message.contains("no name") == true)
    }

    @Test func droppingTheSequenceEndsTheTransfer() async throws {
        let source = ScriptedSource(["--B\r\n\r\nabc"], waits: true)
        do {
            let body = ResponseBody(source: source).onEnd { _ in }
            var iterator = try MultipartParts(body, boundary: "B").makeAsyncIterator()
            let part = try #require(try await iterator.next())
            #expect(try await part.body.makeAsyncIterator().nextChunk() == Bytes("abc".utf8))
            #expect(!source.isCancelled)
        }
        #expect(source.isCancelled)
    }

    @Test func cancellingEndsTheTransferAndTheSequence() async throws {
        let source = ScriptedSource(["--B\r\n\r\nabc"], waits: true)
        let parts = try MultipartParts(ResponseBody(source: source), boundary: "B")
        parts.cancel()
        #expect(source.isCancelled)
        var iterator = parts.makeAsyncIterator()
        #expect(try await iterator.next() == nil)
    }
}

extension ResponseBody.AsyncIterator {
    /// Returns the next chunk of an iterator that isn't kept.
    fileprivate func nextChunk() async throws(NetError) -> Bytes? {
        var iterator = self
        return try await iterator.next()
    }
}
