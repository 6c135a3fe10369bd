#if Server
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// Handles handshakes on NIO channels: checks them, authenticates the client, and opens the WebSocket.
final class HandshakeDesk: Sendable {
    /// An accepted handshake, kept until the channel has been upgraded.
    private struct Ticket: Sendable {
        var head: ConnectionHead
        var admission: Admission
        var compression: WebSocketCompression?
    }

    let core: SocketServerCore
    private let tickets = Mutex<[ObjectIdentifier: Ticket]>([:])

    init(_ core: SocketServerCore) {
        self.core = core
    }

    // MARK: Accepting

    /// Returns the headers of the 101 response. A refusal is written to the channel, which is then closed; after that,
    /// the future fails.
    func accept(_ request: HTTPRequestHead, on channel: any Channel) -> EventLoopFuture<HTTPHeaders> {
        core.pending.remove(channel)
        let promise = channel.eventLoop.makePromise(of: HTTPHeaders.self)
        do throws(SocketRefusal) {
            let headers = HTTPFields(request.headers)
            let client = ForwardedAddress.client(
                peer: channel.remoteAddress?.ipAddress.flatMap { PeerAddress($0) }, headers: headers,
                proxies: core.configuration.proxies)
            let handshake = SocketHandshake(
                target: request.uri, headers: headers, address: client.text,
                host: request.headers.first(name: "host"))
            let (wire, ticket) = try core.check(handshake, client)
            do throws(SocketRefusal) {
                let answer = try answer(request, headers, handshake, wire)
                guard let authenticate = core.authenticate else {
                    admit(handshake, core.admission(wire, ticket), answer, channel, promise)
                    channel.closeFuture.whenComplete { [self] _ in forget(channel) }
                    return promise.futureResult
                }
                try self.authenticate(handshake, wire, ticket, answer, channel, promise, authenticate)
            } catch {
                core.release(ticket)
                throw error
            }
        } catch {
            refuse(error, request.method, channel, promise)
        }
        return promise.futureResult
    }

    private func answer(
        _ request: HTTPRequestHead, _ headers: HTTPFields, _ handshake: SocketHandshake, _ wire: SocketWire
    ) throws(SocketRefusal) -> ServerHandshake.Answer {
        do throws(ServerHandshake.Refusal) {
            return try ServerHandshake.accept(
                method: HTTPRequest.Method(rawValue: request.method.rawValue) ?? .get,
                isHTTP10: request.version == .http1_0, headers: headers,
                subprotocols: wire.subprotocols + core.configuration.subprotocols,
                compression: core.configuration.compression)
        } catch {
            throw core.refused(
                .invalid, SocketRefusal(error.status, error.message, headers: error.headers),
                at: HandshakePlace(handshake))
        }
    }

    /// Authenticates a client in a task of the server. Throws if it can't be started.
    private func authenticate(
        _ handshake: SocketHandshake, _ wire: SocketWire, _ ticket: AddressLimits.Ticket,
        _ answer: ServerHandshake.Answer, _ channel: any Channel, _ promise: EventLoopPromise<HTTPHeaders>,
        _ authenticate: @escaping SocketServerCore.Authenticate
    ) throws(SocketRefusal) {
        guard let (_, runner) = core.lane(for: channel.eventLoop) else { throw SocketServerCore.unavailable }
        let place = Authentications.Handshake(place: HandshakePlace(handshake)) { [self] outcome in
            switch outcome {
            case .success(let admission): admit(handshake, admission, answer, channel, promise)
            case .failure(let refusal): refuse(refusal, .GET, channel, promise)
            }
        }
        let id = try core.enter(place)
        // A client that is gone, also because its handshake took too long, needs no outcome.
        channel.closeFuture.whenComplete { [self] _ in
            core.authentications.abandon(id) { _ in SocketServerCore.unavailable }
            forget(channel)
        }
        // From a task of the server, so that the closure sees the task-local values of the program.
        let isAccepted = runner.start(.pool) { [core] in
            core.authenticate(id, handshake, wire, ticket, authenticate)
        }
        guard !isAccepted else { return }
        core.authentications.ended(id, .failure(SocketServerCore.unavailable))
        core.release(ticket)
    }

    private func admit(
        _ handshake: SocketHandshake, _ admission: Admission, _ answer: ServerHandshake.Answer,
        _ channel: any Channel, _ promise: EventLoopPromise<HTTPHeaders>
    ) {
        let head = ConnectionHead(
            path: handshake.path, address: handshake.address, subprotocol: answer.subprotocol,
            wire: admission.wire, sharedWire: core.sharedWire(admission.wire, answer.subprotocol),
            compression: answer.compression, origin: core.origin(of: handshake), handshake: core.captured(handshake))
        let ticket = Ticket(head: head, admission: admission, compression: answer.compression)
        tickets.withLock { $0[ObjectIdentifier(channel)] = ticket }
        // The channel may have been closed before its ticket was there.
        if !channel.isActive { forget(channel) }
        promise.succeed(HTTPHeaders(answer.headers))
    }

    private func forget(_ channel: any Channel) {
        // The upgrade never took place.
        let ticket = tickets.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }
        if let ticket { core.release(ticket.admission.ticket) }
    }

    // MARK: Refusing

    /// Writes the refusal and closes the channel. The future fails only after that, so that NIO doesn't write a second
    /// response.
    private func refuse(
        _ refusal: SocketRefusal, _ method: HTTPMethod, _ channel: any Channel,
        _ promise: EventLoopPromise<HTTPHeaders>
    ) {
        channel.eventLoop.execute {
            let response = HTTPServerResponse(
                SocketServerResponse(status: refusal.status, headers: refusal.headers, body: refusal.message + "\n"),
                to: method)
            response.write(to: channel, closes: true)
            channel.closeFuture.whenComplete { _ in promise.fail(refusal) }
        }
    }

    // MARK: Upgrading

    /// Creates the WebSocket handler of a channel that has sent the response. On its event loop.
    func makeHandler(for channel: any Channel) throws -> SocketChannelHandler {
        let ticket = tickets.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }
        guard let ticket else { throw SocketServerCore.unavailable }
        guard let (lane, runner) = core.lane(for: channel.eventLoop) else {
            core.release(ticket.admission.ticket)
            throw SocketServerCore.unavailable
        }
        let connection = ServerConnection(
            core, lane: lane, runner: runner, head: ticket.head, admission: ticket.admission)
        return SocketChannelHandler(
            connection, lane, compression: ticket.compression,
            maximumMessageBytes: core.configuration.limits.messageBytes)
    }
}

extension HTTPFields {
    /// Creates the header fields of a request; skips invalid names.
    init(_ headers: HTTPHeaders) {
        self.init()
        for (name, value) in headers {
            guard let name = HTTPField.Name(name) else { continue }
            append(HTTPField(name: name, value: value))
        }
    }
}

extension HTTPHeaders {
    init(_ fields: HTTPFields) {
        self.init(fields.map { ($0.name.rawName, $0.value) })
    }
}
#endif
