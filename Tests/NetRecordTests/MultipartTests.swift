import HTTPTypes
import NetCore
import NetRecord
import Testing

struct MultipartTests {
    private func request(
        _ parts: [String], boundary: String, type: String = "multipart/form-data", isCut: Bool = false
    ) -> CapturedExchange.Request {
        let text = parts.map { "--\(boundary)\r\n\($0)\r\n" }.joined() + (isCut ? "" : "--\(boundary)--\r\n")
        var body = CapturedBody(Bytes((isCut ? String(text.dropLast(4)) : text).utf8))
        body.isCut = isCut
        return .init(
            method: .post, url: "https://a.test/",
            headers: [.contentType: "\(type); boundary=\"\(boundary)\"", .accept: "*/*"], body: body)
    }

    private let name = "Content-Disposition: form-data; name=\"n\"\r\n\r\none"
    private let file =
        "Content-Disposition: form-data; name=\"f\"; filename=\"a.json\"\r\nContent-Type: application/json\r\n\r\n"

    @Test func theBoundaryDoesNotMatter() {
        let recorded = request([name, file + #"{"a":1,"b":[2]}"#], boundary: "one")
        let live = request([name, file + #"{ "b": [2], "a": 1 }"#], boundary: "----another--longer")
        #expect(recorded.multipartDifferences(live: live) == [])
        #expect(recorded.comparedValue(of: .contentType) == live.comparedValue(of: .contentType))
        #expect(recorded.comparedValue(of: .accept) == "*/*")
        #expect(recorded.comparedValue(of: .cookie) == nil)
    }

    @Test func multipartDifferencesAreReportedPerPart() {
        let recorded = request([name, file + #"{"a":1}"#], boundary: "one")
        let other = request(
            [name + "x", file.replacing("a.json", with: "b.json") + #"{"a":2}"#], boundary: "two")
        #expect(
            recorded.multipartDifferences(live: other) == [
                "part 1 (n) of the body differs from byte 3 on: recorded 3 bytes, sent 4",
                "part 2 (f) of the body has another Content-Disposition: "
                    + "recorded \"form-data; name=\"f\"; filename=\"a.json\"\", "
                    + "sent \"form-data; name=\"f\"; filename=\"b.json\"\"",
                "part 2 (f) of the body differs from byte 5 on: recorded 7 bytes, sent 7",
            ])
        #expect(
            recorded.multipartDifferences(live: request([name], boundary: "two"))
                == ["the body has 1 parts, but 2 were recorded"])
        #expect(recorded.multipartDifferences(live: request([file, name], boundary: "two"))?.isEmpty == false)
    }

    @Test func aRecordingThatWasCutMatchesByItsBeginning() {
        let cut = request([name, file + #"{"a":1,"b":2}"#], boundary: "one", isCut: true)
        #expect(cut.multipartDifferences(live: request([name, file + #"{"a":1,"b":2}"#], boundary: "two")) == [])
        let other = request([name, file + #"{"x":1,"b":2}"#], boundary: "two")
        #expect(cut.multipartDifferences(live: other)?.count == 1)
    }

    @Test func otherBodiesAreNotComparedByParts() {
        let form = request([name], boundary: "one")
        var plain = form
        plain.headers[.contentType] = "text/plain; boundary=one"
        var broken = form
        broken.body = CapturedBody(Bytes("--one\r\nno end".utf8))
        for other in [plain, broken] {
            #expect(form.multipartDifferences(live: other) == nil)
            #expect(other.multipartDifferences(live: form) == nil)
        }
    }

    @Test func bodiesCutAnywhereAreTakenWithoutATrap() throws {
        let bytes = request([name, file + "{}"], boundary: "b").body.bytes
        for count in 0..<bytes.count {
            let parts = MultipartPart.parts(of: Bytes(Array(bytes.prefix(count))), boundary: "b")
            #expect(parts == nil || count >= bytes.count - 2, "cut after \(count) bytes")
        }
        let parts = try #require(MultipartPart.parts(of: bytes, boundary: "b"))
        try #require(parts.map(\.name) == ["n", "f"])
        #expect(parts[1].filename == "a.json")
        #expect(parts[0].body.count == 3)
    }
}
