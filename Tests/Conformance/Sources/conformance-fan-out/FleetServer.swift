#if Redis
import Foundation
import Glibc
import Logging
import NetSocketCore
import NetSocketServer

/// One server of a fleet, in a separate process. It drains on SIGTERM, and ends with the runner, which closes its
/// input.
struct FleetServer {
    private let options: Options

    init(_ options: Options) {
        self.options = options
    }

    func run() async throws {
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while read(0, &byte, 1) > 0 {}
            _exit(3)
        }
        let server = SocketServer(identifying: router(), configuration: try configuration()) { handshake in
            handshake.query["name"].map { SocketIdentity($0, user: $0) }
        }
        let running = Task { try await server.run() }
        signal(SIGTERM, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
        source.setEventHandler { running.cancel() }
        source.resume()
        do {
            print("port \(try await server.address.port)")
            fflush(nil)
        } catch {
            try await running.value
        }
        try await running.value
        source.cancel()
    }

    private func configuration() throws -> SocketServerConfiguration {
        var engine = RedisFanOut.Configuration()
        engine.lease = options.seconds("lease", 15)
        engine.outage = .wait(options.seconds("outage", 5))
        var configuration = SocketServerConfiguration()
        configuration.port = options.number("port", 0)
        configuration.fanOut = try RedisFanOut(options["redis"] ?? "", engine)
        configuration.limits = .unlimited
        configuration.reconnectSpread = .seconds(1)
        configuration.drainTimeout = .seconds(5)
        configuration.logger = Logger(label: "fleet") { StreamLogHandler.standardError(label: $0) }
        return configuration
    }

    private func router() -> SocketRouter<String> {
        let history = options.number("history", 5000)
        let time = options.seconds("history-seconds", 300)
        var router = SocketRouter<String>()
        router.channel("room:*") { join in
            ChannelRules(history: history, historyTime: time, presence: join.principal)
        }
        router.on(Say.self, order: .concurrent) { say, context in
            let audience = context.server.channel(context.topic ?? "")
            let position = try await audience.push(Said(key: say.key, text: say.text), id: say.key)
            guard let position else { throw SocketFailure("no_position") }
            return Say.Response(epoch: position.epoch, offset: position.offset)
        }
        router.on(Echo.self, order: .concurrent) { echo, _ in Echo.Response(text: echo.text) }
        router.on(Present.self) { _, context in
            let members = try await context.server.channel(context.topic ?? "").members()
            return Present.Response(names: members.map(\.key).sorted())
        }
        router.on(TellUser.self) { tell, context in
            _ = try await context.server.user(tell.user).push(Said(key: "", text: tell.text))
            return NoResponse()
        }
        router.on(CloseUser.self) { close, context in
            try await context.server.user(close.user).closeEverywhere(.policyViolation, reason: "closed everywhere")
            return NoResponse()
        }
        return router
    }
}
#endif
