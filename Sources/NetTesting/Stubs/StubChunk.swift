public import NetCore

/// A piece of a streamed stub body, and the pause before it.
public struct StubChunk: Sendable, Hashable {
    /// The bytes.
    public var bytes: Bytes
    /// The pause before them, on the clock of the transport or server. Default zero.
    public var delay: Duration

    /// Creates a chunk of bytes.
    public init(_ bytes: some Collection<UInt8>, after delay: Duration = .zero) {
        self.bytes = Bytes(bytes)
        self.delay = delay
    }

    /// Creates a chunk of UTF-8 text.
    public init(_ text: String, after delay: Duration = .zero) {
        self.init(text.utf8, after: delay)
    }
}

extension StubChunk: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        self.init(value)
    }
}
