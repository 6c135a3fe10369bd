import HTTPTypes
import NetCore
import Testing

@testable import NetStore

/// The parts of a captured attempt and of a captured message that are stored.
@Suite struct CapturedContentTests {
    private func content(_ headers: HTTPFields = [:], _ body: CapturedBody, trailers: HTTPFields? = nil)
        -> CaptureContent
    {
        CaptureContent(
            CapturedExchange(
                recordedAt: Events.start, duration: .zero,
                request: .init(method: .post, url: "https://a/", headers: headers, body: body),
                outcome: .response(.init(status: .accepted, headers: headers, body: body, trailers: trailers))))
    }

    @Test func headersAndBodiesOfBothSidesAreTaken() {
        let content = content(
            [.contentType: "Text/Plain; charset=utf-8", .accept: "a"], CapturedBody(Bytes("abc".utf8)),
            trailers: [.eTag: "1"])
        #expect(content.status == 202)
        #expect(content.trailers == "ETag: 1")
        #expect(content.pieces == nil)
        #expect(content.requestHeaders == "Content-Type: Text/Plain; charset=utf-8\nAccept: a")
        #expect(content.responseHeaders == content.requestHeaders)
        for body in [content.request, content.response] {
            #expect(body?.bytes == Bytes("abc".utf8))
            #expect(body?.size == 3)
            #expect(body?.isCut == false)
            #expect(body?.type == "text/plain")
        }
        let alone = CaptureContent(
            CapturedExchange(
                recordedAt: Events.start, duration: .zero, request: .init(method: .get, url: "https://a/"),
                outcome: .failure(.init(code: "timeout", message: "late"))))
        #expect(alone.status == nil)
        #expect(alone.requestHeaders == nil)
        #expect(alone.request == nil)
        #expect(alone.response == nil)
    }

    @Test func theTypeEndsBeforeItsParameters() {
        for (header, type) in [("a/b;c", "a/b"), ("a/b, c/d", "a/b"), ("a/b c", "a/b"), ("A/B", "a/b"), ("", "")] {
            let content = content([.contentType: header], CapturedBody(Bytes([1])))
            #expect(content.request?.type == type, "\(header)")
        }
        #expect(content([:], CapturedBody(Bytes([1]))).request?.type == nil)
    }

    @Test func aBodyIsThereIfItHasBytesOrWasCut() {
        #expect(content([:], CapturedBody()).request == nil)
        let cut = content([:], CapturedBody(pieces: [], isCut: true))
        #expect(cut.request?.isCut == true)
        #expect(cut.request?.size == 0)
        let counted = content([:], CapturedBody(pieces: [], passed: 1))
        #expect(counted.request?.isCut == false)
        #expect(counted.request?.size == 1)
        let failed = content(
            [:], CapturedBody(pieces: [.init(Bytes([1]))], failure: .init(code: "timeout", message: "late")))
        #expect(failed.response?.isCut == true)
        #expect(failed.response?.size == 1)
    }

    @Test func theTimesOfAStreamAreALineOfPairs() {
        let pieces = [
            CapturedBody.Piece(Bytes("ab".utf8)), .init(Bytes("c".utf8), after: .milliseconds(3)),
        ]
        #expect(content([:], CapturedBody(pieces: pieces)).pieces == "[[0,2],[3000,1]]")
        #expect(content([:], CapturedBody(pieces: [pieces[1]])).pieces == "[[3000,1]]")
        #expect(content([:], CapturedBody(pieces: [pieces[0]])).pieces == nil)
    }
}
