#if Tools
import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import Testing

@testable import NetRecord
@testable import net_activity

/// `import cassette`, with files that vcrpy, Betamax and Ruby VCR have written (Fixtures/vcr has the recorders).
struct ImportCassetteTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/vcr/recorded").path
    private static let names = [
        "vcrpy.yaml", "vcrpy-decoded.yaml", "vcrpy-httpx.yaml", "betamax.json", "ruby-vcr.yml", "ruby-vcr-bytes.json",
    ]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func convert(_ files: [String]) throws -> Command {
        try Command.run(
            Command.product("net-activity"), ["import", "cassette"] + files + ["-o", folder.file("out.json")])
    }

    private func converted(_ name: String) throws -> [CapturedExchange] {
        let result = try convert(["\(Self.fixtures)/\(name)"])
        #expect(result.exitCode == 0, "\(result.errors)")
        return try Cassette.read(from: folder.file("out.json")).exchanges
    }

    private func write(_ text: String, _ name: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: folder.file(name)))
        return folder.file(name)
    }

    @Test(arguments: names)
    func everyToolsFileBecomesTheSameCassette(_ name: String) throws {
        let exchanges = try converted(name)
        try #require(exchanges.count == 9)
        let paths = exchanges.map { String($0.request.url.split(separator: "?")[0]) }
        #expect(
            paths
                == ["/items/7", "/items", "/picture", "/stock", "/stock", "/me", "/orders", "/orders", "/nowhere"].map {
                    "http://shop.test\($0)"
                })
        #expect(exchanges.map { $0.response?.status.code } == [200, 200, 200, 200, 200, 200, 201, 201, 404])
        let bodies = exchanges.map { $0.response?.body.bytes ?? Bytes() }
        #expect(String(decoding: bodies[0], as: UTF8.self).contains("Crème brûlée"))
        #expect(String(decoding: bodies[1], as: UTF8.self).hasPrefix(#"[{"id": 0, "name": "item 0"}"#))
        #expect(exchanges[1].response?.headers[.contentEncoding] == nil)
        #expect(Array(bodies[2]) == Array(0...255) + Array(0...255))
        #expect(String(decoding: bodies[3], as: UTF8.self) == #"{"left": 2}"#)
        #expect(String(decoding: bodies[4], as: UTF8.self) == #"{"left": 1}"#)
        #expect(exchanges[6].request.method == .post)
        #expect(exchanges[6].request.body.bytes.elementsEqual("item=7&count=2".utf8))
        #expect(Array(exchanges[7].request.body.bytes) == [0, 0xff, 0x10] + Array("binary".utf8))
        let text = try String(contentsOfFile: folder.file("out.json"), encoding: .utf8)
        #expect(!text.contains("planted"), "\(text)")
    }

    private struct GetItem: APIRequest {
        struct Response: Decodable, Sendable {
            var id: Int
            var name: String
        }
        var id: Int
        var path: Path { "items/\(id)" }
    }

    private struct ListItems: APIRequest {
        typealias Response = [GetItem.Response]
        var path: Path { "items" }
        var query: QueryItems { QueryItem("page", "1") }
    }

    private struct GetStock: APIRequest {
        typealias Response = [String: Int]
        var path: Path { "stock" }
    }

    @Test(arguments: names)
    func aPortedProgramRunsOffline(_ name: String) async throws {
        _ = try converted(name)
        let replay = try ReplayTransport(cassette: folder.file("out.json"), mode: .none)
        let client = HTTPClient(baseURL: "http://shop.test", transport: replay)
        #expect(try await client.send(GetItem(id: 7)).name == "Crème brûlée")
        #expect(try await client.send(ListItems()).count == 50)
        #expect(try await client.send(GetStock())["left"] == 2)
        #expect(try await client.send(GetStock())["left"] == 1)
        await client.shutdown()
    }

    @Test func severalFilesBecomeOneCassette() throws {
        let result = try convert(["\(Self.fixtures)/vcrpy.yaml", "\(Self.fixtures)/betamax.json"])
        #expect(result.output.contains("18 exchanges"), "\(result.output)\(result.errors)")
    }

    @Test(
        arguments: [
            ("a: [", "a.yaml", "a.yaml:2:1: the YAML is not valid"), ("interactions: 7", "b.yaml", "expected a list"),
            ("interactions:\n- request: {method: GET, uri: 'http://a.test/'}\n", "c.yaml", "\"response\" is missing"),
            ("interactions:\n- request: {method: G T, uri: x}\n", "d.yaml", "isn't an HTTP method"),
            ("interactions: []\n", "e.yaml", "no exchange"), ("", "f.yaml", "empty"), ("a: b\n", "g.yaml", "neither"),
            ("interactions: *x\n", "h.yaml", "no complete anchor"),
            (
                "interactions:\n" + (0..<200).map { String(repeating: " ", count: $0) + "-\n" }.joined(), "i.yaml",
                "deeper than"
            ),
            (
                #"{"http_interactions":[{"request":{"method":"GET","uri":"x","body":{"base64_string":"!"}}}]}"#,
                "j.json", "base64"
            ),
            (#"{"interactions":"#, "k.json", "ends in the middle"),
            (
                "interactions:\n- request: {method: GET, uri: x}\n  response: {status: {code: 200}, headers: {content-encoding: [gzip]}, body: {string: !!binary H4sIAAAA}}\n",
                "l.yaml", "isn't valid gzip"
            ),
        ])
    func anInvalidFileIsNamedWithItsPlace(_ text: String, _ name: String, _ words: String) throws {
        let result = try convert([try write(text, name)])
        #expect(result.exitCode != 0)
        #expect(result.errors.contains(words), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("out.json")))
    }

    @Test func aliasesThatGrowAreRefused() throws {
        var text = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
        for level in 1...9 {
            let names = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ",")
            text += "a\(level): &a\(level) [\(names)]\n"
        }
        let result = try convert([try write(text + "interactions: []\n", "bomb.yaml")])
        #expect(result.errors.contains("aliases repeat more than"), "\(result.errors)")
    }
}
#endif
