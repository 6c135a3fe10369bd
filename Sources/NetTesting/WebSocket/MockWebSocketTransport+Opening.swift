internal import HTTPTypes
internal import NetCore
internal import Synchronization

extension MockWebSocketTransport {
    func open(
        _ request: WebSocketRequest, _ attempt: Int, _ context: CallContext
    ) async throws -> any WebSocketLink {
        let asked = try StubRequest(handshake: request)
        switch answers {
        case .manual: return link(request, WebSocketStub("/") { _ in }, asked, context).link
        case .closure(let respond): return serve(try await respond(request, attempt), request, asked, context)
        case .stubs(let stubs):
            for stub in stubs {
                guard let parameters = stub.path.match(asked.path) else { continue }
                var asked = asked
                asked.parameters = parameters
                return serve(stub, request, asked, context)
            }
            throw try await refusal(asked, stubs, context)
        }
    }

    private func refusal(
        _ asked: StubRequest, _ stubs: [WebSocketStub], _ context: CallContext
    ) async throws -> NetError {
        guard let refusals else {
            let paths = stubs.map(\.path.description).joined(separator: ", ")
            return context.error(
                .invalidRequest, phase: .preparing,
                message: "no WebSocket stub has the path \(Shown.target(asked.path)); there are \(paths)")
        }
        let response = try await refusals.execute(PreparedRequest(head: asked.handshakeHead), context: context)
        let body = try await response.body.collect(upTo: 64 << 10)
        return context.error(
            .unacceptableStatus, phase: .validating,
            message: "the server answered \(response.head.status.code) instead of accepting the WebSocket",
            response: .init(head: response.head, body: body))
    }

    private func serve(
        _ stub: WebSocketStub, _ request: WebSocketRequest, _ asked: StubRequest, _ context: CallContext
    ) -> any WebSocketLink {
        let (link, peer) = link(request, stub, asked, context)
        Task {
            do {
                try await stub.serve(peer)
                try await peer.close()
            } catch {
                // Like a server whose handler fails; a client that is gone does not hear of it.
                try? await peer.close(error is WebSocketPeerFailure ? .policyViolation : .internalError)
            }
        }
        return link
    }

    private func link(
        _ request: WebSocketRequest, _ stub: WebSocketStub, _ asked: StubRequest, _ context: CallContext
    ) -> (link: any WebSocketLink, peer: MockWebSocketPeer) {
        let spoken = request.subprotocols.first(where: stub.subprotocols.contains)
        let socket = MockSocket(request, subprotocol: spoken, context: context)
        let peer = MockWebSocketPeer(
            socket, request: asked, subprotocol: spoken, maximumMessageBytes: stub.maximumMessageBytes)
        state.withLock { state in
            if state.sockets.count >= Self.historyLimit { state.sockets.removeFirst() }
            state.sockets.append(socket)
        }
        if case .manual = answers { accepted.offer(peer) }
        var fields = stub.fields
        fields[.upgrade] = "websocket"
        fields[.connection] = "Upgrade"
        if let spoken { fields[.secWebSocketProtocol] = spoken }
        let response = ResponseHead(status: .switchingProtocols, version: "1.1", fields: fields)
        return (MockWebSocketLink(socket, response: response, subprotocol: spoken), peer)
    }
}

extension StubRequest {
    /// The opening handshake of a WebSocket. Throws `.invalidRequest` for what is no `ws://` or `wss://` URL.
    fileprivate init(handshake request: WebSocketRequest) throws(NetError) {
        let rest = ["ws://", "wss://"].lazy
            .filter { request.url.lowercased().hasPrefix($0) }
            .map { request.url.dropFirst($0.count) }.first
        guard let rest, let first = rest.first, !"/?#".contains(first) else {
            throw NetError(
                .invalidRequest, phase: .preparing, message: "a WebSocket's URL begins with ws:// or wss:// and a host")
        }
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let target = rest[end...]
        self.init(
            method: .get, target: target.hasPrefix("/") ? String(target) : "/" + target,
            authority: String(rest[..<end]), fields: request.fields)
    }

    fileprivate var handshakeHead: HTTPRequest {
        HTTPRequest(method: method, scheme: "http", authority: authority, path: target, headerFields: fields)
    }
}
