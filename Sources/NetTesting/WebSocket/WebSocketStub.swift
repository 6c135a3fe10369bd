public import HTTPTypes

/// A WebSocket peer at a path: a script of steps, or a function that receives the socket. The same value works in
/// memory (``MockWebSocketTransport``) and on a real socket (`TestServer`).
///
///     let stubs: [WebSocketStub] = [
///         .echo(),
///         WebSocketStub("/news", .text("hello"), .wait(.milliseconds(50)), .close(.goingAway, reason: "restart")),
///         WebSocketStub("/rooms/{room}", subprotocols: ["chat.v2"]) { socket in
///             try await socket.send("welcome to \(socket.request.parameters["room"] ?? "")")
///             while let message = try await socket.receive() { try await socket.send(message) }
///         },
///     ]
///     let transport = MockWebSocketTransport(stubs)
///
/// On a server, a request at that path that isn't a WebSocket handshake is left to the ordinary stubs. So is a
/// handshake at a path without a WebSocket stub, both in memory and on a server: an ordinary stub with status 403 is a
/// refusal.
public struct WebSocketStub: Sendable {
    /// The path.
    public var path: PathTemplate
    /// The subprotocols that the peer supports. The first one of them that the client offers is selected. Default none.
    public var subprotocols: [String]
    /// The largest message that the peer accepts, in bytes. A larger one closes the connection with 1009. Default 16
    /// MiB.
    public var maximumMessageBytes = 16 << 20
    /// The compression that the peer agrees to, if the client offers it (RFC 7692). Default nil: none.
    public var compression: WebSocketCompression?
    /// The simulated failures, in memory only. Default none.
    public var faults = WebSocketFaults()
    /// Additional headers of the response that accepts the handshake. Default none.
    public var headers = HTTPFields()
    package let serve: @Sendable (any WebSocketPeer) async throws -> Void

    /// Creates a peer that runs a function on each connection. When the function returns, the peer performs the closing
    /// handshake with 1000; if it throws its own error, with 1011.
    public init(
        _ path: PathTemplate, subprotocols: [String] = [],
        serve: @escaping @Sendable (_ socket: any WebSocketPeer) async throws -> Void
    ) {
        self.path = path
        self.subprotocols = subprotocols
        self.serve = serve
    }

    /// Creates a peer that runs a script on each connection. After the last step, it reads and responds to pings until
    /// the client closes.
    public init(_ path: PathTemplate, subprotocols: [String] = [], _ steps: WebSocketStep...) {
        self.init(path, subprotocols: subprotocols, steps: steps)
    }

    /// Creates a peer that runs a script on each connection.
    public init(_ path: PathTemplate, subprotocols: [String] = [], steps: [WebSocketStep]) {
        self.init(path, subprotocols: subprotocols) { socket in
            for step in steps { try await socket.perform(step) }
            while try await socket.receive() != nil {}
        }
    }

    /// Returns a stub that sends every message back.
    public static func echo(_ path: PathTemplate = "/echo", subprotocols: [String] = []) -> WebSocketStub {
        WebSocketStub(path, subprotocols: subprotocols, .echo)
    }
}
