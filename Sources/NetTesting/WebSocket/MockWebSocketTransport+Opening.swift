internal import HTTPTypes
internal import NetCore
internal import Synchronization

extension MockWebSocketTransport {
    func open(
        _ request: PreparedRequest, _ attempt: Int, _ context: CallContext
    ) async throws -> WebSocketOpening {
        let asked = StubRequest(handshake: request)
        switch answers {
        case .manual: return .opened(link(request, WebSocketStub("/") { _ in }, asked, context).link)
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
        Task {
            do {
                try await stub.serve(peer)
                try await peer.close()
            } catch {
                // Like a server whose handler fails. A client that is gone isn't notified.
                try? await peer.close(error is WebSocketPeerFailure ? .policyViolation : .internalError)
            }
        }
        return link
    }

    private func link(
        _ request: PreparedRequest, _ stub: WebSocketStub, _ asked: StubRequest, _ context: CallContext
    ) -> (link: any WebSocketLink, peer: MockWebSocketPeer) {
        let options = request.options.webSocket ?? WebSocketOptions()
        let spoken = options.offeredSubprotocols.first(where: stub.subprotocols.contains)
        let socket = MockSocket(options, subprotocol: spoken, context: context)
        let peer = MockWebSocketPeer(
            socket, request: asked, subprotocol: spoken, maximumMessageBytes: stub.maximumMessageBytes)
        state.withLock { state in
            if state.sockets.count >= Self.historyLimit { state.sockets.removeFirst() }
            state.sockets.append(socket)
        }
        if case .manual = answers { accepted.offer(peer) }
        var headers = stub.headers
        headers[.upgrade] = "websocket"
        headers[.connection] = "Upgrade"
        if let spoken { headers[.secWebSocketProtocol] = spoken }
        let response = ResponseHead(status: .switchingProtocols, version: "1.1", headers: headers)
        return (MockWebSocketLink(socket, response: response, subprotocol: spoken), peer)
    }
}

extension StubRequest {
    /// Creates the request of an opening handshake.
    fileprivate init(handshake request: PreparedRequest) {
        let head = request.head
        self.init(
            method: .get, target: head.path ?? "/", authority: head.authority ?? "", headers: head.headerFields)
    }
}
