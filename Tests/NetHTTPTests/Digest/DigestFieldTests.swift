import HTTPTypes
import NetHTTP
import Testing

@Suite struct DigestFieldTests {
    @Test func digestsAreReadAndWritten() {
        var headers = HTTPFields()
        headers.setDigests([.sha512: Bytes([1, 2]), .sha256: Bytes([3])], .contentDigest)
        #expect(headers[.contentDigest] == "sha-256=:Aw==:, sha-512=:AQI=:")
        #expect(headers.digests(.contentDigest) == [.sha512: Bytes([1, 2]), .sha256: Bytes([3])])
        headers.setDigests([:], .contentDigest)
        #expect(headers[.contentDigest] == nil)
        #expect(headers.digests(.contentDigest).isEmpty)
    }

    @Test func malformedDigestsAreIgnored() {
        let texts = ["", "sha-256", "sha-256=abc", "sha-256=(:AAAA:)", "sha-256=:!:", "sha-256=:AAAA:,"]
        for text in texts {
            let headers: HTTPFields = [.contentDigest: text]
            #expect(headers.digests(.contentDigest).isEmpty, "\(text)")
        }
        let mixed: HTTPFields = [.reprDigest: "sha-256=1, unixsum=:AAE=:"]
        #expect(mixed.digests(.reprDigest) == [DigestAlgorithm(rawValue: "unixsum"): Bytes([0, 1])])
    }
}
