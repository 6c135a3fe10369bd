import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import Testing

/// RFC 1035 section 4 and RFC 8484, with hand-written messages.
@Suite struct NameScriptTests {
    /// Returns the question for `a.test`.
    private func question(_ type: UInt8, name: [UInt8] = [1, 97, 4] + Array("test".utf8) + [0]) -> [UInt8] {
        [0xab, 0xcd, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0] + name + [0, type, 0, 1]
    }

    private func answer(_ names: NameScript, _ question: [UInt8]) async throws -> (status: Int, bytes: [UInt8]) {
        let client = HTTPClient(baseURL: "http://h", transport: MockTransport([.dnsOverHTTPS(names)]))
        let request = Request<Bytes>(
            "/dns-query", method: .post, body: .bytes(Bytes(question), contentType: "application/dns-message"),
            serializer: .bytes)
        let response = try await client.raw(request)
        return (response.status.code, Array(response.value))
    }

    @Test func addressesOfBothKindsAreAnswered() async throws {
        let names = NameScript(["a.test": [.addresses(["192.0.2.7", "2001:db8::1", "no address"])]])
        let ipv4 = try await answer(names, question(1)).bytes
        #expect(ipv4[0..<8] == [0xab, 0xcd, 0x81, 0x80, 0, 1, 0, 1])
        #expect(ipv4.suffix(6) == [0, 4, 192, 0, 2, 7])
        let ipv6 = try await answer(names, question(28)).bytes
        #expect(ipv6.suffix(18) == [0, 16, 0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
        #expect(names.questions == ["a.test A", "a.test AAAA"])
    }

    @Test func answersComeInTheirOrderAndTheLastIsRepeated() async throws {
        let names = NameScript(["A.test": [.failure, .garbage, .noSuchName]])
        var codes: [UInt8] = []
        for _ in 0..<4 {
            let bytes = try await answer(names, question(1)).bytes
            codes.append(bytes.elementsEqual("garbage".utf8) ? 255 : bytes[3] & 15)
        }
        #expect(codes == [2, 255, 3, 3])
        #expect(try await answer(NameScript([:]), question(1)).bytes[3] & 15 == 3)
    }

    @Test func malformedDNSQueriesAreRejected() async throws {
        let whole = question(1)
        for end in 0..<whole.count { #expect(try await answer(NameScript([:]), Array(whole[..<end])).status == 400) }
        #expect(try await answer(NameScript([:]), question(1, name: [200, 1, 0])).status == 400)
    }

    @Test func aQuestionMayBeAskedByGet() async throws {
        let client = HTTPClient(baseURL: "http://h", transport: MockTransport([.dnsOverHTTPS(NameScript([:]))]))
        // RFC 8484 section 4.1.1.
        let response = try await client.raw(
            Request<Bytes>(
                "/dns-query", query: ["dns": "AAABAAABAAAAAAAAA3d3dwdleGFtcGxlA2NvbQAAAQAB"], serializer: .bytes))
        #expect(response.head[.contentType] == "application/dns-message")
        #expect(
            Array(response.value)[12..<29] == [
                3, 119, 119, 119, 7, 101, 120, 97, 109, 112, 108, 101, 3, 99, 111, 109, 0,
            ])
    }
}
