internal import HTTPTypes
internal import NetCore
internal import NetSocketCore
internal import Synchronization

extension MockWebSocketTransport {
    func open(
        _ request: PreparedRequest, _ attempt: Int, _ context: CallContext
    ) async throws -> WebSocketOpening {
        let asked = StubRequest(handshake: request)
        switch answers {
        case .manual: return .opened(link(request, WebSocketStub("/") { _ in }, asked, context).link)
        case .links(let stub, let serve): return .opened(self.serve(stub, by: serve, request, asked, context))
        case .closure(let respond): return .opened(serve(try await respond(request, attempt), request, asked, context))
        case .stubs(let stubs):
            for stub in stubs {
                guard let parameters = stub.path.match(asked.path) else { continue }
                var asked = asked
                asked.parameters = parameters
                return .opened(serve(stub, request, asked, context))
            }
            return try await refusal(of: request, asked, stubs, context)
        }
    }

    private func refusal(
        of request: PreparedRequest, _ asked: StubRequest, _ stubs: [WebSocketStub], _ context: CallContext
    ) async throws -> WebSocketOpening {
        guard let refusals else {
            let paths = stubs.map(\.path.description).joined(separator: ", ")
            throw context.error(
                .invalidRequest, phase: .preparing,
                message: "no WebSocket stub has the path \(Shown.target(asked.path)); there are \(paths)")
        }
        return .refused(try await refusals.execute(request, context: context))
    }

    private func serve(
        _ stub: WebSocketStub, _ request: PreparedRequest, _ asked: StubRequest, _ context: CallContext
    ) -> any WebSocketLink {
        let (link, peer) = link(request, stub, asked, context)
        link.adopt(
            Task {
                do {
                    try await stub.serve(peer)
                    try await peer.close()
                } catch {
                    // Like a server whose handler fails. A client that is gone isn't notified.
                    try? await peer.close(error is WebSocketPeerFailure ? .policyViolation : .internalError)
                }
            })
        return link
    }

    private func serve(
        _ stub: WebSocketStub, by serve: @escaping Serve, _ request: PreparedRequest, _ asked: StubRequest,
        _ context: CallContext
    ) -> any WebSocketLink {
        let agreement = Agreement(request.options.webSocket ?? WebSocketOptions(), stub)
        let log = PairLog(
            LoggedWebSocket(subprotocol: agreement.subprotocol, compression: agreement.serverCompression))
        let ends = connect(agreement, stub, log, isScripted: false, context)
        let response = ResponseHead(status: .switchingProtocols, version: "1.1", headers: agreement.headers)
        keep(Opened(log: log, client: ends.client))
        let server = PairLink(ends.server, response: response, subprotocol: agreement.subprotocol)
        let client = PairLink(ends.client, response: response, subprotocol: agreement.subprotocol)
        client.adopt(
            Task {
                do { try await serve(server, asked) } catch {
                    await server.close(WebSocketClosure(code: .internalError, isByPeer: false))
                }
            })
        return client
    }

    private func keep(_ socket: Opened) {
        state.withLock { state in
            if state.sockets.count >= Self.historyLimit { state.sockets.removeFirst() }
            state.sockets.append(socket)
        }
    }

    private func link(
        _ request: PreparedRequest, _ stub: WebSocketStub, _ asked: StubRequest, _ context: CallContext
    ) -> (link: PairLink, peer: MockWebSocketPeer) {
        let agreement = Agreement(request.options.webSocket ?? WebSocketOptions(), stub)
        let log = PairLog(
            LoggedWebSocket(subprotocol: agreement.subprotocol, compression: agreement.serverCompression))
        let ends = connect(agreement, stub, log, context)
        let peer = MockWebSocketPeer(ends.server, request: asked, subprotocol: agreement.subprotocol)
        keep(Opened(log: log, client: ends.client))
        if case .manual = answers { accepted.offer(peer) }
        let response = ResponseHead(status: .switchingProtocols, version: "1.1", headers: agreement.headers)
        return (PairLink(ends.client, response: response, subprotocol: agreement.subprotocol), peer)
    }

    private func connect(
        _ agreement: Agreement, _ stub: WebSocketStub, _ log: PairLog, isScripted: Bool = true,
        _ context: CallContext
    ) -> (client: PairEnd, server: PairEnd) {
        let origin = SocketOrigin(context)
        let random = context.environment.random
        let recorder = context.makeSocketRecorder()
        let secret = agreement.options.secretSubprotocol
        recorder?.opened(
            SocketEvent.Opening(
                subprotocol: agreement.subprotocol == secret ? nil : agreement.subprotocol,
                compression: agreement.clientCompression))
        let client = PairSettings(
            role: .client, maximumMessageBytes: agreement.options.maximumMessageBytes, inboxBytes: Self.bufferBytes,
            compression: agreement.clientCompression, liveness: watchesSilence ? agreement.options.liveness : nil,
            faults: stub.faults.toServer, pause: stub.faults.toClient.pause, random: random, origin: origin,
            recorder: recorder)
        let server = PairSettings(
            role: .server, isScripted: isScripted, maximumMessageBytes: stub.maximumMessageBytes,
            inboxBytes: Self.bufferBytes, compression: agreement.serverCompression, faults: stub.faults.toClient,
            pause: stub.faults.toServer.pause, random: random, origin: origin, log: log)
        return PairEnd.connect(client, server, bufferBytes: Self.bufferBytes)
    }
}

/// The subprotocol and the compression that both sides of an opening handshake agree on, negotiated as on a real
/// connection.
private struct Agreement {
    let options: WebSocketOptions
    let subprotocol: String?
    private(set) var clientCompression: WebSocketCompression?
    private(set) var serverCompression: WebSocketCompression?
    /// The headers of the response.
    private(set) var headers: HTTPFields

    init(_ options: WebSocketOptions, _ stub: WebSocketStub) {
        self.options = options
        subprotocol = options.offeredSubprotocols.first(where: stub.subprotocols.contains)
        headers = stub.headers
        headers[.upgrade] = "websocket"
        headers[.connection] = "Upgrade"
        if let subprotocol { headers[.secWebSocketProtocol] = subprotocol }
        guard let offered = options.compression, let settings = stub.compression,
            let answer = CompressionNegotiation.answer(CompressionNegotiation.offer(offered), settings: settings),
            let agreed = try? CompressionNegotiation.agreed(answer.field, offered: offered)
        else { return }
        (clientCompression, serverCompression) = (agreed, answer.agreed)
        headers[.secWebSocketExtensions] = answer.field
    }
}

extension StubRequest {
    /// Creates the request of an opening handshake.
    fileprivate init(handshake request: PreparedRequest) {
        let head = request.head
        self.init(
            method: .get, target: head.path ?? "/", authority: head.authority ?? "", headers: head.headerFields)
        redaction = redaction.joined(with: request.options.redaction)
    }
}
