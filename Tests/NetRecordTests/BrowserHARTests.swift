import Foundation
import HTTPTypes
import NetCore
import NetRecord
import Testing

/// Files saved by browsers, with their additions, omissions and deviations.
struct BrowserHARTests {
    private func exchanges(_ name: String) throws -> [CapturedExchange] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try Cassette.read(from: root.appending(path: "Fixtures/har/\(name)").path).exchanges
    }

    @Test func chromesFileIsRead() throws {
        let found = try exchanges("chrome.har")
        try #require(found.map { $0.response?.status.code ?? 0 } == [200, 200, 0, 101, 200, 204])
        #expect(found.map { $0.response?.version ?? "" } == ["2", "1.1", "", "1.1", "3", "2"])
        // Repeated headers are joined by line breaks; pseudo-headers of HTTP/2 are ignored.
        #expect(found[0].response?.headers[values: .setCookie] == ["a=1; Path=/", "b=2; Path=/"])
        #expect(found[0].request.headers.map(\.name.canonicalName) == ["accept"])
        #expect(found[0].response?.body.bytes.elementsEqual(#"{"items":[1,2]}"#.utf8) == true)
        // Until the head arrived, including the time before the request.
        #expect(found[0].duration == .microseconds(40_850))
        #expect(found[0].recordedAt.timeIntervalSince1970 == 1_772_355_600.25)
        #expect(found[1].response?.body.bytes.elementsEqual("GIF89a".utf8) == true)
        #expect(
            found[2].outcome == .failure(.init(code: "blocked", message: "net::ERR_BLOCKED_BY_CLIENT")))
        #expect(found[3].request.url == "wss://shop.test/live")
        #expect(found[4].request.body.bytes.elementsEqual("user=ada+b&n=1".utf8))
        // A body that wasn't saved isn't an empty body.
        #expect(found.map { $0.response?.body.isCut ?? false } == [false, false, false, false, true, false])
        #expect(found[5].response?.body.isAbsent == true)
    }

    @Test func firefoxsFileIsRead() throws {
        let found = try exchanges("firefox.har")
        try #require(found.map { $0.response?.status.code ?? 0 } == [200, 201, 0, 200, 304])
        #expect(found[0].response?.headers[values: .setCookie] == ["a=1", "b=2"])
        #expect(found[0].response?.body.bytes.elementsEqual("<h1>café 😀</h1>".utf8) == true)
        #expect(found[0].recordedAt.timeIntervalSince1970 == 1_772_355_600.125)
        let parts = MultipartPart.parts(of: found[1].request.body.bytes, boundary: "----geckoformboundary1")
        #expect(parts?.map(\.name) == ["caption", "photo"])
        #expect(parts?[1].filename == "cat.gif")
        #expect(parts?.map { String(decoding: $0.body, as: UTF8.self) } == ["A \"cat\"", "GIF89a"])
        #expect(
            found[2].outcome == .failure(.init(code: "unrecorded", message: "no response was recorded")))
        #expect(found.map { $0.response?.body.isCut ?? false } == [false, false, false, true, false])
    }

    @Test(arguments: ["chrome.har", "firefox.har"])
    func browserHARFilesSurviveARoundTrip(_ name: String) throws {
        let folder = try TemporaryFolder()
        let read = try exchanges(name)
        try Cassette(read).write(to: folder.file(name))
        #expect(try Cassette.read(from: folder.file(name)).exchanges == read)
        try Cassette(read).write(to: folder.file("a.json"))
        // A cassette doesn't keep the size of a body that wasn't saved.
        let sizeless = read.map { exchange in
            var exchange = exchange
            guard case .response(var response) = exchange.outcome else { return exchange }
            response.body.passed = nil
            exchange.outcome = .response(response)
            return exchange
        }
        #expect(try Cassette.read(from: folder.file("a.json")).exchanges == sizeless)
    }
}
