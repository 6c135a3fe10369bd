import Testing

@testable import NetHTTP

struct ContentCodingTests {
    @Test func codingsAreListedInTheirOrder() {
        #expect(ContentCoding.list("gzip") == [.gzip])
        #expect(ContentCoding.list(" X-GZIP ,deflate,, identity") == [.gzip, .deflate])
        #expect(ContentCoding.list("identity") == [])
        #expect(ContentCoding.list("gzip, compress") == nil)
        #if Compression
        #expect(ContentCoding.list("gzip, br, ZSTD") == [.gzip, .br, .zstd])
        #else
        #expect(ContentCoding.list("gzip, br") == nil)
        #endif
    }
}
