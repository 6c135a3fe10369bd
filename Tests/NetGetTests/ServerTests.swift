#if Tools && os(Linux)
import Foundation
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

/// net-get with real servers: what they say about archives, and of files that were replaced by older ones.
/// `scripts/conformance transfers` has more of them, beside curl, wget and aria2c.
@Suite(.timeLimit(.minutes(2))) struct ServerTests {
    private static let packed = Data(CodedSample.gzip.bytes)
    private static let older = Date(timeIntervalSince1970: 1_700_000_000)

    private static func write(_ data: Data, _ path: String, date: Date? = nil) throws {
        try data.write(to: URL(filePath: path))
        if let date { try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path) }
    }

    private static func data(_ folder: TemporaryFolder, _ name: String) throws -> Data {
        try Data(contentsOf: folder.url.appending(path: name))
    }

    private func run(_ folder: TemporaryFolder, _ arguments: String...) async throws -> NetGetOutput {
        try await NetGetOutput.run(arguments, in: folder.url)
    }

    /// The files of `site` in two versions, the second one of an older date, through a server.
    private func check(_ url: String, _ site: String) async throws {
        try await TemporaryFolder.with { folder in
            try Self.write(Self.packed, "\(site)/archive.tar.gz")
            try Self.write(Self.packed, "\(site)/data.json.gz")
            try Self.write(Data(repeating: 1, count: 100_000), "\(site)/list.dat")
            let first = try await run(folder, "--existing", "ask", "\(url)/archive.tar.gz", "\(url)/list.dat")
            #expect(first.exitCode == 0, "\(first)")
            #expect(try Self.data(folder, "archive.tar.gz") == Self.packed)
            let named = try await run(folder, "-o", "data.json", "\(url)/data.json.gz")
            #expect(named.exitCode == 0, "\(named)")
            #expect(try folder.text(of: "data.json") == CodedSample.text)

            try Self.write(Data(repeating: 2, count: 100_000), "\(site)/list.dat", date: Self.older)
            let second = try await run(folder, "--existing", "ask", "\(url)/archive.tar.gz", "\(url)/list.dat")
            #expect(second.exitCode == 0, "\(second)")
            #expect(try Self.data(folder, "list.dat") == Data(repeating: 2, count: 100_000))
            #expect(try Self.data(folder, "archive.tar.gz") == Self.packed)
        }
    }

    @Test(.enabled(if: ApacheSite.program.path != nil)) func apacheLabelsArchivesAsCoded() async throws {
        let site = try await offPool {
            try ApacheSite(modules: ["mime"], settings: "TypesConfig /dev/null\nAddEncoding x-gzip .gz .tgz")
        }
        try await check("http://127.0.0.1:\(site.port)", site.folder)
    }

    @Test(.enabled(if: NginxSite.program != nil)) func nginxComparesDatesExactly() async throws {
        try await TemporaryFolder.with { site in
            let locations = """
                location / { root \(site.url.path()); }
                location ~ gz$ { root \(site.url.path()); add_header Content-Encoding gzip; }
                """
            try await NginxSite.with(locations) { nginx in try await check("\(nginx.baseURL)", site.url.path()) }
        }
    }
}
#endif
