#if Tools
import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetRecord
import NetTesting
import Testing

@testable import NetStore

/// The output of `net-activity export` for calls.
struct ExportTests {
    private let folder: TemporaryFolder
    private var store: String { folder.file() }

    init() throws { folder = try TemporaryFolder() }

    private func export(_ arguments: String...) throws -> Command {
        try Command.run(Command.product("net-activity"), ["export"] + arguments)
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test func aCassetteHasEveryAttemptWithThePlainPlaceholder() async throws {
        try await ShopCalls.write(to: store)
        let cassette = folder.file("c/shop.json")
        let command = try export("cassette", store, "-o", cassette)
        #expect(command.exitCode == 0, "\(command.errors)")
        #expect(command.output.hasPrefix("11 exchanges"), "\(command.errors)")
        // Nothing is captured of an image.
        #expect(command.errors.contains("skipped: the whole body of the response"))
        let written = try Cassette.read(from: cassette).exchanges
        #expect(written.map { $0.response?.status.code } == [200, 429, 200, 201, 200, 302, 200, 204, nil, nil, nil])
        let text = try text(cassette)
        #expect(!text.contains("redacted:"))
        #expect(text.contains("api_key=<redacted>"))
        for secret in [ShopCalls.token, "k-1234567890", "hunter2", "t-1234567890"] { #expect(!text.contains(secret)) }
    }

    @Test func aLiveClientIsAnsweredByTheCassette() async throws {
        try await ShopCalls.write(to: store)
        let cassette = folder.file("shop.json")
        #expect(try export("cassette", store, "~op placeOrder | ~op getBook", "-o", cassette).exitCode == 0)
        let clock = TestClock()
        let client = HTTPClient(
            baseURL: "https://shop.example.com/v1", transport: try ReplayTransport(cassette: cassette, mode: .none)
        ) {
            $0.clock = clock.netClock
            $0.headers = [.authorization: "Bearer another-token-42"]
            $0.middleware = [RetryMiddleware()]
        }
        let book = try await clock.run {
            try await client.send(Request<JSONValue>("books/\(7)", query: ["api_key": "another"]))
        }
        #expect(book["id"] == 7)
        #expect(book["token"] == "<redacted>")
        let body = RequestBody.json(["sku": "a\"b\\c\n\u{202e}", "password": "another"])
        let order = try await client.send(Request<JSONValue>("orders", method: .post, body: body))
        #expect(order["id"] == 1001)
    }

    @Test func aContractTakesAnyValueOfWhatWasHidden() async throws {
        try await ShopCalls.write(to: store)
        let file = folder.file("shop-contract.json")
        #expect(try export("contract", store, "~op placeOrder", "-o", file).exitCode == 0)
        let contracted = ContractTransport(try Contract(contentsOf: file))
        let client = HTTPClient(baseURL: "https://shop.example.com/v1", transport: contracted) {
            $0.headers = [.authorization: "Bearer another-token-42"]
        }
        let body = RequestBody.json(["sku": "a\"b\\c\n\u{202e}", "password": "x"])
        let order = try await client.send(Request<JSONValue>("orders", method: .post, body: body))
        #expect(order["id"] == 1001)
        try contracted.verifyComplete()
        #expect(contracted.report.name == "shop-contract")
    }

    /// The file is compiled and run with these tests; `NET_REGENERATE=1` regenerates it.
    @Test func testsAreWrittenAsTheOnesThatRunHere() async throws {
        try await ShopCalls.write(to: store)
        let output = folder.file("tests")
        let command = try export("test", store, "-o", output, "--name", "ShopCalls")
        #expect(command.exitCode == 0, "\(command.errors)")
        let home = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        for line in command.lines {
            let name = String(line.dropFirst(output.count + 1))
            let place = home.appendingPathComponent("Generated/\(name)")
            if ProcessInfo.processInfo.environment["NET_REGENERATE"] == "1" {
                let folder = place.deletingLastPathComponent()
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try Data(text(line).utf8).write(to: place)
            }
            let expected = try text(place.path)
            #expect(try text(line) == expected, "Tests/NetActivityTests/Generated/\(name) isn't what is written now")
        }
        #expect(command.lines.count == 8)
    }

    @Test func filesThatAreThereAreReplacedOnDemandOnly() async throws {
        try await ShopCalls.write(to: store)
        let output = folder.file("tests")
        #expect(try export("test", store, "~op getBook", "-o", output).exitCode == 0)
        let again = try export("test", store, "~op getBook", "-o", output)
        #expect(again.exitCode == 2)
        #expect(again.errors.contains("--force"))
        #expect(try export("test", store, "~op getBook", "-o", output, "--force").exitCode == 0)
    }

    @Test func aPackageIsWrittenForTestsThatHaveNone() async throws {
        try await ShopCalls.write(to: store)
        let output = folder.file("package")
        let command = try export("test", store, "~op getBook", "-o", output, "--package", "/some/folder")
        #expect(command.exitCode == 0, "\(command.errors)")
        let manifest = try text(output + "/Package.swift")
        #expect(manifest.contains(#"path: "/some/folder""#))
        #expect(manifest.contains(#"exclude: ["Cassettes"]"#))
        #expect(command.lines[0].hasSuffix("/Tests/RecordedTests/RecordedCallsTests.swift"))
    }

    @Test func aBundleShowsTheCallAndItsContract() async throws {
        try await ShopCalls.write(to: store)
        let contract = folder.file("contract.json")
        #expect(try export("contract", store, "~op getBook", "-o", contract).exitCode == 0)
        let bundle = try export("bundle", store, "~op getBook", "--contract", contract, "--save")
        #expect(bundle.exitCode == 0, "\(bundle.errors)")
        #expect(bundle.output.hasPrefix("# getBook: 200\n"))
        for part in [
            "## Request", "## Trace", "## Response", "## Recording", "attempt 1: as contract-1", "after 30.00 s",
        ] {
            #expect(bundle.output.contains(part), "\(part)")
        }
        #expect(!bundle.output.contains("k-1234567890"))
        #expect(!bundle.output.contains(ShopCalls.token))
        let stored = try Command.sqlite(store, "SELECT kind, item, CAST(body AS TEXT) FROM net_artifact")
        #expect(stored.hasPrefix("proofBundle|2|# getBook: 200"))

        let other = try export("bundle", store, "~op listBooks", "--contract", contract)
        #expect(other.output.contains("attempt 1: unexpectedRequest") || other.output.contains("attempt 1: mismatch"))
    }

    @Test func uncapturedCallsAreReportedAndNotExported() async throws {
        let store = try ActivityStore(at: folder.file())
        try await store.write(Events.call(0, url: "https://shop.example.com/a") + Events.call(1, url: "https://h/b"))
        try await store.close()
        let one = try export("cassette", folder.file(), "~all", "-o", folder.file("c.json"))
        #expect(one.exitCode == 1)
        #expect(one.errors.contains("wasn't captured"))
        #expect(one.errors.contains(".bodies"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("c.json")))
        let none = try export("cassette", folder.file(), "~op nobody", "-o", folder.file("c.json"))
        #expect(none.exitCode == 1)
        #expect(none.errors.contains("no call was found"))
        let many = try export("cassette", folder.file(), "~all", "--limit", "1", "-o", folder.file("c.json"))
        #expect(many.exitCode == 2)
        #expect(many.errors.contains("--limit"))
    }
}
#endif
