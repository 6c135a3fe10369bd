#if Server
import HTTPTypes
import NetCore
import NetTestServer
import NetTesting

extension LoggedRequest {
    /// Everything that the server has received, in clear.
    var wire: String {
        let messages = (webSocket?.messages ?? []).map { $0.text ?? "" }
        return ([target] + headers.map(\.value) + [String(decoding: body, as: UTF8.self)] + messages)
            .joined(separator: "\n")
    }
}

/// The server that all calls reach: it responds to each with the response of the plan.
enum Site {
    static func stubs(_ calls: [Call]) -> [Stub] {
        let calls = Dictionary(uniqueKeysWithValues: calls.map { ($0.number, $0) })
        return [
            Stub(nil, "/token") { _ in
                .json(text: #"{"access_token":"made-up-access","token_type":"Bearer","expires_in":3600}"#)
            },
            Stub(nil, "/match") { _ in .json(text: #"{"is":"matched"}"#) },
            Stub(nil, "/c/{number}/{end}") { request in
                guard let call = Int(request.parameters["number"] ?? "").flatMap({ calls[$0] }),
                    let end = Call.End(rawValue: request.parameters["end"] ?? "")
                else { return .status(.notFound) }
                return response(to: request, call, end)
            },
        ]
    }

    static func response(to request: StubRequest, _ call: Call, _ end: Call.End) -> StubResponse {
        if call.credential?.kind == .digest, request.headers[.authorization] == nil {
            return .status(.unauthorized).header(
                .wwwAuthenticate, #"Digest realm="a", qop="auth", algorithm=SHA-256, nonce="0a4f113b""#)
        }
        if end == .lost { return .dropped() }
        var response = StubResponse(
            status: end == .rejected ? .unprocessableContent : .ok, body: call.reply.body.map { .text($0) } ?? .empty)
        if let type = call.reply.contentType { response.headers[.contentType] = type }
        for pair in call.reply.headers {
            if let name = HTTPField.Name(pair[0]) { response.headers.append(HTTPField(name: name, value: pair[1])) }
        }
        return response
    }

    /// The endpoints of WebSockets, each of which reads a message before it sends one.
    static func sockets(_ calls: [Call]) -> [WebSocketStub] {
        calls.compactMap { call -> WebSocketStub? in
            guard let sent = call.sent, let received = call.received else { return nil }
            var subprotocols = call.subprotocols
            if let grant = call.credential, grant.kind == .subprotocol { subprotocols.append(grant.name + grant.value) }
            return WebSocketStub(PathTemplate("/s/\(call.number)"), subprotocols: subprotocols) { socket in
                for index in 0..<max(sent.count, received.count) {
                    if index < sent.count, try await socket.receive() == nil { return }
                    if index < received.count { try await socket.send(received[index]) }
                }
                _ = try await socket.receive()
            }
        }
    }
}
#endif
