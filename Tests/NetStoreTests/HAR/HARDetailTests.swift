import Foundation
import NetCore
import Testing

@testable import NetStore

/// The members of other programs' entries over a round trip.
@Suite(.timeLimit(.minutes(2))) struct HARDetailTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Imports files into a store and returns its export.
    private func exported(_ texts: [String], _ name: String) async throws -> String {
        let store = try ActivityStore(at: folder.file("\(name).sqlite"))
        for (index, text) in texts.enumerated() {
            let path = folder.file("\(name)-\(index).har")
            try Data(text.utf8).write(to: URL(filePath: path))
            try await store.importHAR(at: path)
        }
        try await store.writeHAR(to: folder.file("\(name).har"))
        try await store.close()
        return try String(contentsOfFile: folder.file("\(name).har"), encoding: .utf8)
    }

    private struct Log: Decodable {
        struct Page: Decodable {
            var id: String
            var title: String?
            var startedDateTime: String?
            var pageTimings: [String: Double]?
        }
        struct Cookie: Decodable {
            var name, value: String
            var path: String?
            var httpOnly: Bool?
        }
        struct Header: Decodable { var name, value: String }
        struct Content: Decodable {
            var size: Int
            var mimeType: String
            var text: String?
            var _isCut: Bool?
        }
        struct Request: Decodable {
            struct Data: Decodable { var mimeType: String }
            var httpVersion: String
            var headersSize: Int
            var cookies: [Cookie]
            var postData: Data?
        }
        struct Response: Decodable {
            var status, headersSize, bodySize: Int
            var statusText, httpVersion, redirectURL: String
            var cookies: [Cookie]
            var headers: [Header]
            var content: Content
        }
        struct Entry: Decodable {
            var connection, pageref: String?
            var request: Request
            var response: Response
        }
        struct File: Decodable { var log: Log }
        var pages: [Page]
        var entries: [Entry]
    }

    private static func log(_ text: String) throws -> Log {
        try JSONDecoder().decode(Log.File.self, from: Data(text.utf8)).log
    }

    private static func file(_ title: String = "Shop", id: String = "page_1", path: String = "x") -> String {
        #"""
        {"log":{"version":"1.2","creator":{"name":"WebInspector","version":"1"},
        "pages":[{"id":"\#(id)","startedDateTime":"2026-03-01T10:00:00.000Z","title":"\#(title)",
        "pageTimings":{"onContentLoad":12.5,"onLoad":30}},{"id":"unused","title":"no entry"}],
        "entries":[{"startedDateTime":"2026-03-01T10:00:00.123Z","time":50,"connection":"443","pageref":"\#(id)",
        "request":{"method":"POST","url":"https://a.test/\#(path)","httpVersion":"h2","headersSize":321,"bodySize":3,
        "headers":[],"cookies":[{"name":"sid","value":"planted-cookie","path":"/","httpOnly":true}],
        "postData":{"mimeType":"text/x-odd","text":"abc"}},
        "response":{"status":200,"statusText":"Fine","httpVersion":"spdy/3.1","headersSize":99,"bodySize":20,
        "redirectURL":"https://a.test/y?access_token=planted-token","cookies":[{"name":"id","value":"planted-id"}],
        "headers":[{"name":"Content-Encoding","value":"gzip"},{"name":"Content-Type","value":"application/json"}],
        "content":{"size":45,"mimeType":"application/vnd.odd","text":"{\"token\":\"planted-body-that-is-longer\",\"a\":1}"}},
        "timings":{"send":1,"wait":40,"receive":9}}]}}
        """#
    }

    @Test func membersWithoutAColumnAreWrittenAgain() async throws {
        let text = try await exported([Self.file()], "a")
        let log = try Self.log(text)
        let entry = try #require(log.entries.first)
        #expect(entry.connection == "443")
        #expect(entry.pageref == "page_1")
        #expect(entry.request.httpVersion == "h2")
        #expect(entry.request.headersSize == 321)
        #expect(entry.request.postData?.mimeType == "text/x-odd")
        #expect(entry.request.cookies.map(\.name) == ["sid"])
        #expect(entry.request.cookies.first?.path == "/")
        #expect(entry.request.cookies.first?.httpOnly == true)
        let response = entry.response
        #expect(response.statusText == "Fine")
        #expect(response.httpVersion == "spdy/3.1")
        #expect(response.headersSize == 99)
        #expect(response.bodySize == 20)
        #expect(response.redirectURL.hasPrefix("https://a.test/y?access_token="))
        #expect(response.cookies.map(\.name) == ["id"])
        #expect(response.headers.contains { $0.name.lowercased() == "content-encoding" && $0.value == "gzip" })
        #expect(response.content.mimeType == "application/vnd.odd")
        // The size of the body before its token was hidden.
        #expect(response.content.size == 45)
        #expect(response.content._isCut == false)
        #expect(log.pages.map(\.id) == ["page_1"])
        #expect(log.pages.first?.title == "Shop")
        #expect(log.pages.first?.pageTimings == ["onContentLoad": 12.5, "onLoad": 30])
        #expect(!text.contains("planted"), "\(text)")
    }

    @Test func aSecondExportEqualsTheFirst() async throws {
        let first = try await exported([Self.file()], "a")
        let second = try await exported([first], "b")
        #expect(first == second)
    }

    @Test func differentPagesWithOneIDStayApart() async throws {
        let text = try await exported(
            [Self.file("One"), Self.file("Two", path: "y"), Self.file("One", path: "z")], "a")
        let log = try Self.log(text)
        #expect(log.pages.map(\.id) == ["page_1", "page_1-2"])
        #expect(log.entries.map(\.pageref) == ["page_1", "page_1-2", "page_1"])
        let again = try await exported([text], "b")
        #expect(text == again)
    }

    @Test func theTitleOfAPageHasNoSecrets() async throws {
        let text = try await exported([Self.file("https://a.test/?access_token=planted-title")], "a")
        #expect(!text.contains("planted"))
        #expect(try Self.log(text).pages.first?.title?.hasPrefix("https://a.test/") == true)
    }

    @Test func aResponseOfABrowsersCacheIsWrittenAgain() async throws {
        let entry = #"""
            {"log":{"version":"1.2","creator":{"name":"Firefox","version":"1"},"entries":[
            {"startedDateTime":"2026-03-01T10:00:00Z","time":0,"request":{"method":"GET","url":"https://a.test/","headers":[]},
            "response":{"status":0,"headers":[{"name":"A","value":"1"}],"content":{"size":2,"text":"hi"}},"timings":{}}]}}
            """#
        let text = try await exported([entry], "a")
        let response = try #require(try Self.log(text).entries.first?.response)
        #expect(response.status == 0)
        #expect(response.headers.map(\.name) == ["A"])
        #expect(response.content.text == "hi")
        #expect(try await exported([text], "b") == text)
    }

    @Test func anImportedRunHasNoProcess() async throws {
        let store = try ActivityStore(at: folder.file("a.sqlite"))
        let path = folder.file("a.har")
        try Data(Self.file().utf8).write(to: URL(filePath: path))
        try await store.importHAR(at: path)
        let run = try await store.runs().first { $0.process == "WebInspector" }
        #expect(run?.processID == 0)
        let row = OTLPResource.Run(id: 1, process: "a", pid: 0, version: nil, machine: "m", started: 0)
        #expect(!"\(OTLPResource(row, extra: [:]))".contains("process.pid"))
        try await store.close()
    }
}
