#if os(Linux)
import Foundation
import NetCore
import NetHTTP
import NetSocket
import TestSupport
import Testing

@testable import NetClient

/// A download and a session between two networks, one of which loses its interface.
@Suite(.timeLimit(.minutes(1)), .enabled(if: NetworkNamespace.isSupported, "network namespaces aren't allowed here"))
struct NetworkLossTests {
    /// Two networks, a slow server in the second one, and all parts of a program in the first one.
    private struct Site {
        let server: NetworkNamespace
        let client: NetworkNamespace
        let peer: ChildProcess
        let values: [String: String]
        let monitor: NetworkMonitor
        let transport: CurlTransport
        let socketTransport: CurlWebSocketTransport

        init() throws {
            let (server, client) = (try NetworkNamespace(), try NetworkNamespace())
            try client.script(
                """
                link add eth0 type veth peer name eth0 netns \(server.name)
                link set eth0 up
                addr add 10.1.0.2/16 dev eth0
                """)
            try server.script("link set eth0 up\naddr add 10.1.0.1/16 dev eth0")
            try client.script("route add default via 10.1.0.1")
            let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent().appending(
                    path: "Fixtures/network/slow-peer.py")
            peer = try ChildProcess(
                "/usr/bin/env", ["ip", "netns", "exec", server.name, "/usr/bin/python3", script.path])
            let words = try peer.lines(until: { $0 == "ready" }).map { $0.split(separator: " ").map(String.init) }
            values = Dictionary(words.filter { $0.count == 2 }.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
            let monitor = try client.monitor()
            // Their threads belong to the network in which they start.
            (transport, socketTransport) = try client.perform {
                var configuration = CurlTransport.Configuration()
                (configuration.proxy, configuration.network) = (.none, monitor)
                var sockets = CurlWebSocketTransport.Configuration()
                sockets.proxy = .none
                return (CurlTransport(configuration: configuration), CurlWebSocketTransport(configuration: sockets))
            }
            (self.server, self.client, self.monitor) = (server, client, monitor)
        }

        /// Removes the interface for five seconds; it returns with another address. Returns when the route exists.
        func loseInterface() async throws {
            try client.script("addr del 10.1.0.2/16 dev eth0\nlink set eth0 down")
            // The kernel's links and the peers' sockets don't use a test clock.
            try await Task.sleep(for: .seconds(5))
            try client.script("link set eth0 up\naddr add 10.1.0.3/16 dev eth0\nroute add default via 10.1.0.1")
        }
    }

    /// Opens connections on the thread of a transport, which belongs to a network: a task could open them on another
    /// thread.
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

    private struct ConfinedSockets: WebSocketTransport {
        let transport: CurlWebSocketTransport

        func connect(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> WebSocketOpening {
            let result = await withTaskExecutorPreference(transport.executor) {
                () async -> Result<WebSocketOpening, NetError> in
                do throws(NetError) {
                    return .success(try await transport.connect(request, context: context))
                } catch {
                    return .failure(error)
                }
            }
            return try result.get()
        }

        func shutdown() async { await transport.shutdown() }
    }

    /// The progress of both, and the times at which they continued after the loss.
    private struct Course {
        var (bytes, replies) = (Int64(0), 0)
        var (isLost, isBack) = (false, ContinuousClock.Instant?.none)
        var (downloadWentOn, sessionWentOn) = (Duration?.none, Duration?.none)
    }

    @Test func bothGoOnWhenTheInterfaceComesBackWithAnotherAddress() async throws {
        let site = try Site()
        defer { site.peer.stop() }
        let host = "10.1.0.1"
        let clock = ContinuousClock()
        let course = Locked(Course())
        let client = HTTPClient(baseURL: "http://\(host)", transport: Confined(transport: site.transport))
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        var settings = DownloadManager.Configuration()
        (settings.folder, settings.network) = (folder.path, site.monitor)
        let manager = DownloadManager(client: client, configuration: settings)
        var request = DownloadRequest("http://\(host):\(try #require(site.values["http"]))/file.bin")
        request.checksum = .sha256(try #require(site.values["sha256"]))
        let session = SocketClient(
            "ws://\(host):\(try #require(site.values["ws"]))/",
            client: WebSocketClient(transport: ConfinedSockets(transport: site.socketTransport)),
            configuration: .init(network: site.monitor))
        session.start()
        let updates = try await manager.download(request)
        let talk = Task {
            for number in 0..<10_000 {
                let reply = try await session.send("say", payload: SocketPayload(number), offline: .resend)
                #expect(reply?.json == "\(number)")
                course.change {
                    $0.replies += 1
                    if let back = $0.isBack, $0.sessionWentOn == nil { $0.sessionWentOn = clock.now - back }
                }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        let loss = Task {
            while course.value.bytes < 1_000_000 { try await Task.sleep(for: .milliseconds(20)) }
            try await site.loseInterface()
            course.change { $0.isBack = clock.now }
        }
        for try await progress in updates {
            course.change {
                if progress.bytes > $0.bytes, let back = $0.isBack, $0.downloadWentOn == nil {
                    $0.downloadWentOn = clock.now - back
                }
                $0.bytes = progress.bytes
            }
        }
        try await loss.value
        // The download may be complete before the session has a reply.
        while course.value.sessionWentOn == nil, !Task.isCancelled { try await Task.sleep(for: .milliseconds(20)) }
        let end = course.value
        talk.cancel()
        _ = await talk.result
        session.close()
        await manager.shutdown()
        await client.shutdown()
        site.monitor.stop()
        let (download, conversation) = (try #require(end.downloadWentOn), try #require(end.sessionWentOn))
        print("after the route was back: the download went on in \(download), the session in \(conversation)")
        // A bound for loaded machines; docs/network.md contains the measured figures.
        #expect(download < .seconds(10))
        #expect(conversation < .seconds(10))
        #expect(end.bytes == 8_000_000)
    }
}
#endif
