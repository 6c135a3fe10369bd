internal import HTTPTypes

/// The options that a WebSocket transport needs to open a connection, in addition to the URL and the headers.
public struct WebSocketOptions: Sendable, CustomReflectable {
    /// The subprotocols to offer, the preferred one first. Default none.
    public var subprotocols: [String]
    /// A subprotocol that contains a secret, to be offered after the others and never to be shown. Default none.
    public var secretSubprotocol: String?
    /// The maximum size of a received message in bytes. Default 1 MiB.
    public var maximumMessageBytes: Int

    /// The compression to offer. Default nil: none.
    public var compression: WebSocketCompression?
    /// The detection of a dead peer; nil for none. Default: a ping after 30 s of silence.
    public var liveness: WebSocketLiveness?

    /// Creates options.
    public init(
        subprotocols: [String] = [], secretSubprotocol: String? = nil, maximumMessageBytes: Int = 1 << 20,
        compression: WebSocketCompression? = nil, liveness: WebSocketLiveness? = WebSocketLiveness()
    ) {
        self.subprotocols = subprotocols
        self.secretSubprotocol = secretSubprotocol
        self.maximumMessageBytes = maximumMessageBytes
        self.compression = compression
        self.liveness = liveness
    }

    /// All subprotocols to offer, in order.
    public var offeredSubprotocols: [String] { subprotocols + (secretSubprotocol.map { [$0] } ?? []) }

    /// The options without the secret.
    public var customMirror: Mirror {
        Mirror(self, children: ["subprotocols": subprotocols, "maximumMessageBytes": maximumMessageBytes])
    }
}

extension WebSocketOptions {
    /// The reason why the handshake can't be sent; nil if it can. A secret is never quoted.
    var problem: String? {
        let offered = offeredSubprotocols
        if let bad = subprotocols.first(where: { HTTPField.Name($0) == nil }) {
            return "the subprotocol \"\(bad)\" is not a token; it may have letters, digits and !#$%&'*+-.^_`|~ only"
        }
        if let secretSubprotocol, HTTPField.Name(secretSubprotocol) == nil {
            return "the subprotocol that contains a secret is not a token; encode the secret in base64url, without ="
        }
        return Set(offered).count == offered.count ? nil : "a subprotocol is offered twice; name each once"
    }

    /// The reason why an absolute URL can't be used for a WebSocket (RFC 6455 section 3); nil if it can.
    static func problem(ofURL url: String) -> String? {
        url.utf8.contains(UInt8(ascii: "#"))
            ? "a WebSocket URL can't have a fragment; remove the # and what follows, or write it as %23" : nil
    }
}
