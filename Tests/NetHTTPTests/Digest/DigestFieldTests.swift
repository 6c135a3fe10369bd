import HTTPTypes
import NetHTTP
import Testing

@Suite struct DigestFieldTests {
    @Test func digestsAreReadAndWritten() {
        var fields = HTTPFields()
        fields.setDigests([.sha512: Bytes([1, 2]), .sha256: Bytes([3])], .contentDigest)
        #expect(fields[.contentDigest] == "sha-256=:Aw==:, sha-512=:AQI=:")
        #expect(fields.digests(.contentDigest) == [.sha512: Bytes([1, 2]), .sha256: Bytes([3])])
        fields.setDigests([:], .contentDigest)
        #expect(fields[.contentDigest] == nil && fields.digests(.contentDigest).isEmpty)
    }

    @Test func whatIsNoDigestSaysNothing() {
        let texts = ["", "sha-256", "sha-256=abc", "sha-256=(:AAAA:)", "sha-256=:!:", "sha-256=:AAAA:,"]
        for text in texts {
            let fields: HTTPFields = [.contentDigest: text]
            #expect(fields.digests(.contentDigest).isEmpty, "\(text)")
        }
        let mixed: HTTPFields = [.reprDigest: "sha-256=1, unixsum=:AAE=:"]
        #expect(mixed.digests(.reprDigest) == [DigestAlgorithm(rawValue: "unixsum"): Bytes([0, 1])])
    }
}
