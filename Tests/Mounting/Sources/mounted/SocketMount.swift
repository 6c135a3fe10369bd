import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NetSocketServer
import ServiceLifecycle

extension HTTPServerBuilder {
    /// Hummingbird's HTTP/1.1, whose connections become WebSockets of a server if a client requests it.
    static func http1<Principal>(mounting server: SocketServer<Principal>) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in SocketMount(responder: responder, server: server) }
    }
}

/// A connection to Hummingbird that may turn into a WebSocket.
struct SocketMount<Principal: Sendable>: HTTPChannelHandler {
    typealias HTTP = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    /// The result of a connection's first request.
    enum Outcome: Sendable {
        case http(HTTP)
        case socket(any Channel)
    }

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let outcome: EventLoopFuture<Outcome>
    }

    let responder: Responder
    let server: SocketServer<Principal>

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let upgrader = SocketTypedUpgrader(server) { Outcome.socket($0) }
            let upgrade = NIOTypedHTTPServerUpgradeConfiguration(upgraders: [upgrader]) { channel in
                channel.eventLoop.makeCompletedFuture {
                    // The same handlers as in `HTTP1Channel`.
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
                    try pipeline.addHandler(HTTPConnectionStateHandler(logger: logger))
                    return .http(
                        try NIOAsyncChannel(
                            wrappingChannelSynchronously: channel,
                            configuration: .init(isOutboundHalfClosureEnabled: true)))
                }
            }
            var configuration = NIOUpgradableHTTPServerPipelineConfiguration(upgradeConfiguration: upgrade)
            configuration.enablePipelining = false
            configuration.enableErrorHandling = false
            let outcome = try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(
                configuration: configuration)
            return Value(channel: channel, outcome: outcome)
        }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            switch try await value.outcome.get() {
            case .http(let channel): await handleHTTP(asyncChannel: channel, logger: logger)
            case .socket(let channel):
                // An application waits for its connections before it asks its services to end.
                try await withGracefulShutdownHandler {
                    try await channel.closeFuture.get()
                } onGracefulShutdown: {
                    server.stop()
                }
            }
        } catch {
            logger.debug("a connection has ended before its first request", metadata: ["error": "\(error)"])
        }
    }
}

/// Runs a mounted server for as long as its application.
struct SocketService<Principal: Sendable>: Service {
    let server: SocketServer<Principal>

    func run() async throws {
        try await cancelWhenGracefulShutdown { try await server.serve() }
        // Its connections may already have ended it; a service that returns before it is asked to counts as failed.
        try await gracefulShutdown()
    }
}
