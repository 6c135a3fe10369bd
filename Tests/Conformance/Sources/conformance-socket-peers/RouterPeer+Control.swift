#if Server
import NetCore
import NetSocketCore
import NetSocketServer
import NetTestServer
import NetTesting

extension RouterPeer {
    /// The control requests of scripts beside the WebSockets; ``ServerEnd/control(_:)`` supports the same ones, except
    /// `restart`.
    func stubs(_ endpoint: Endpoint) -> [Stub] {
        let (name, path) = (endpoint.name, endpoint.path)
        return [
            Stub(.get, PathTemplate("/\(name)/heard")) { [self] _ in .json(try heard(on: path)) },
            Stub(.post, PathTemplate("/\(name)/say")) { [self] request in
                try await say(request.decode(Demand.self), on: path)
                return .text("said")
            },
            Stub(.post, PathTemplate("/\(name)/close")) { [self] request in
                let code = request.queryValue("code").flatMap { UInt16($0) } ?? 1000
                try newest(on: path)?.close(CloseFrameCode(code))
                return .text("closed")
            },
            Stub(.post, PathTemplate("/\(name)/restart")) { [self] _ in
                await stop()
                return .text("\(try await start())")
            },
        ]
    }

    /// An action that a script requests from the server.
    struct Demand: Decodable {
        enum Kind: String, Decodable { case push, direct, left, user, close }

        var kind: Kind
        /// A channel or a user.
        var topic: String?
        var event, code, message: String?
        var payload: JSONValue?
    }

    private func newest(on path: String) throws -> SocketConnection<String>? {
        try server.connections.last { $0.path == path }
    }

    private func say(_ demand: Demand, on path: String) async throws {
        let payload = try demand.payload.map { try SocketPayload($0) }
        let event = demand.event ?? ""
        switch (demand.kind, demand.topic) {
        case (.push, let topic?): try await server.channel(topic).push(event, payload)
        case (.push, nil): try await newest(on: path)?.audience.push(event, payload)
        case (.direct, let topic?): try await newest(on: path)?.push(event, payload, in: topic)
        case (.user, let user?): try await server.user(user).push(event, payload)
        case (.left, let topic?):
            try server.channel(topic).close(
                demand.code == nil ? .normalClosure : .policyViolation, reason: demand.code ?? "")
        case (.close, let user?): try server.user(user).close(.policyViolation)
        case (.direct, nil), (.user, nil), (.left, nil), (.close, nil): throw CaseFailure("nobody is named")
        }
    }
}
#endif
