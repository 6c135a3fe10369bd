import Testing

@testable import NetCore

struct CaptureLimitsTests {
    @Test(arguments: [
        "text/html; charset=utf-8", "application/json", "Application/JSON", "application/problem+json", "image/svg+xml",
        "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "text/event-stream",
    ])
    func textIsKeptByDefault(_ type: String) {
        #expect(CaptureLimits().bytes(of: type) == 65_536)
    }

    @Test(arguments: ["image/png", "application/octet-stream", "video/mp4", "", "multipart/mixed; boundary=b", nil])
    func otherBodiesAreOnlyCounted(_ type: String?) {
        #expect(CaptureLimits().bytes(of: type) == 0)
        #expect(CaptureLimits(bodyBytes: 7, mediaTypes: ["*/*"]).bytes(of: type) == 7)
    }

    @Test func theUnionSatisfiesBoth() {
        let both = CaptureLimits(bodyBytes: 5, mediaTypes: ["image/*"])
            .union(CaptureLimits(bodyBytes: 9, mediaTypes: ["text/plain"]))
        #expect(both == CaptureLimits(bodyBytes: 9, mediaTypes: ["image/*", "text/plain"]))
        #expect(both.bytes(of: "image/png") == 9)
        #expect(both.bytes(of: "text/html") == 0)
    }
}
