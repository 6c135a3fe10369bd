import Foundation
import NetCore
import Testing

private struct Broken: Error {}

@Suite struct RequestBodyTests {
    private func resolved(_ body: RequestBody) throws(NetError) -> (String, String?) {
        let resolved = try body.resolved(with: .standard)
        guard case .bytes(let bytes) = resolved.content else { return ("", resolved.contentType) }
        return (String(decoding: bytes, as: UTF8.self), resolved.contentType)
    }

    @Test func eachKindImpliesItsType() throws {
        #expect(try resolved(.bytes(Bytes("b".utf8))) == ("b", "application/octet-stream"))
        #expect(try resolved(.data(Data("d".utf8), contentType: nil)) == ("d", nil))
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

    @Test func whatCannotBeEncodedIsAnErrorThatShowsNoValue() {
        struct Login: Encodable, Sendable { let password = "SECRET", factor = Double.nan }
        let error = #expect(throws: NetError.self) { try resolved(.json(["login": Login()])) }
        #expect(error?.code == .encoding && error?.phase == .preparing)
        #expect(error?.message.contains("factor") == true && error?.message.contains("SECRET") == false)
        #expect(throws: NetError.self) { try resolved(RequestBody { _ in throw Broken() }) }
        let own = NetError(.unsupported, phase: .preparing, message: "m")
        #expect(#expect(throws: NetError.self) { try resolved(RequestBody { _ in throw own }) }?.code == .unsupported)
    }

    @Test func aStreamIsMadeAnewForEachAttempt() async throws {
        let feed = ChunkFeed(["a", "b"])
        let body = try RequestBody.stream(feed, length: 2, isReplayable: true).resolved(with: .standard)
        guard case .stream(let length, let isReplayable, let make) = body.content else {
            Issue.record("a stream stays a stream")
            return
        }
        #expect(length == 2 && isReplayable && body.contentType == "application/octet-stream")
        for _ in 0..<2 {
            let bytes = try await ResponseBody(source: make()).collect(upTo: 9)
            #expect(bytes == Bytes("ab".utf8))
        }
        #expect(feed.log.iterators == 2)
    }
}
