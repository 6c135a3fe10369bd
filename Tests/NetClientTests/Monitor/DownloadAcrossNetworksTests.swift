#if os(Linux)
import Foundation
import NetCore
import NetHTTP
import TestSupport
import Testing

@testable import NetClient

/// A download between two networks, one of which goes away and comes back as another.
@Suite(.timeLimit(.minutes(1)), .enabled(if: NetworkNamespace.isSupported, "network namespaces aren't allowed here"))
struct DownloadAcrossNetworksTests {
    /// Opens connections on the thread of the transport, which belongs to a network; a task may open them on its own thread.
    private struct Confined: HTTPTransport {
        let transport: CurlTransport

        func execute(
            _ request: PreparedRequest, context: CallContext
        ) async throws(NetError) -> StreamedResponse {
            let result = await withTaskExecutorPreference(transport.executor) {
                () async -> Result<StreamedResponse, NetError> in
                do throws(NetError) {
                    return .success(try await transport.execute(request, context: context))
                } catch {
                    return .failure(error)
                }
            }
            return try result.get()
        }

        func shutdown() async { await transport.shutdown() }
    }

    /// The two ends of a cable.
    private static func connect(_ client: NetworkNamespace, _ server: NetworkNamespace, address: String) throws {
        try server.script("link add eth0 type veth peer name eth1\nlink set eth1 netns \(client.name)")
        try server.script("link set eth0 up\naddr add 10.77.0.1/24 dev eth0")
        try client.script(
            "link set eth1 up\naddr add \(address)/24 dev eth1\nroute add default via 10.77.0.1")
    }

    /// An nginx in a network, which sends the files of a folder slowly.
    private static func serve(_ folder: String, in server: NetworkNamespace) throws -> ChildProcess {
        try server.ip("link", "set", "lo", "up")
        let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder)/nginx-\($0);" }.joined(separator: " ")
        let settings = """
            daemon off; worker_processes 1; pid \(folder)/nginx.pid; error_log /tmp/ngx.err info; user root;
            events { worker_connections 64; }
            http { access_log off; \(places) server { listen 8080; root \(folder); limit_rate 500k; } }

            """
        try Data(settings.utf8).write(to: URL(fileURLWithPath: folder + "/nginx.conf"))
        let process = try ChildProcess.daemon(
            "/usr/bin/env",
            ["ip", "netns", "exec", server.name, Nginx.program.path ?? "nginx", "-c", folder + "/nginx.conf"])
        try server.perform { try ChildProcess.wait(forPorts: [8080], of: "nginx") }
        return process
    }

    @Test(.enabled(if: Nginx.program.path != nil, "nginx isn't installed"))
    func aDownloadGoesOnWithinASecondAfterAnInterfaceIsBack() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "net-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let content = Data((0..<1_500_000).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 8)) })
        try content.write(to: URL(fileURLWithPath: folder + "/film"))
        let (client, server) = (try NetworkNamespace(), try NetworkNamespace())
        try Self.connect(client, server, address: "10.77.0.2")
        let nginx = try Self.serve(folder, in: server)
        defer { nginx.stop() }
        let monitor = try client.monitor()
        let transport = try client.perform {
            var configuration = CurlTransport.Configuration()
            configuration.proxy = .none
            configuration.network = monitor
            return CurlTransport(configuration: configuration)
        }
        let http = HTTPClient(configuration: HTTPClient.Configuration(), transport: Confined(transport: transport))
        let manager = DownloadManager(
            client: http,
            configuration: .init(folder: folder + "/got", keepsFree: 0, network: monitor, logDetail: .none))

        let id = try await manager.enqueue(DownloadRequest("http://10.77.0.1:8080/film"))
        for try await progress in manager.progress(of: id) where progress.bytes > 200_000 { break }
        try client.ip("link", "delete", "eth1")
        // The other end is gone with it. Five seconds without a network.
        try await Task.sleep(for: .seconds(5))
        let before = try #require(manager.task(id))
        #expect(before.bytes < 1_500_000 && !before.state.isFinal)
        try Self.connect(client, server, address: "10.77.0.3")
        let back = ContinuousClock.now
        for try await progress in manager.progress(of: id) where progress.bytes > before.bytes { break }
        #expect(ContinuousClock.now - back < .seconds(1))
        let file = try await manager.file(of: id)
        #expect(try Data(contentsOf: file.url) == content)
        await manager.shutdown()
        await http.shutdown()
        monitor.stop()
    }
}
#endif
