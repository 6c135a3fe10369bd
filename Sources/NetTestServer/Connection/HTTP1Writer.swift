#if Server
internal import HTTPTypes
internal import NIOCore
internal import NetCore
internal import NetTesting

/// Writes HTTP/1.1 responses byte for byte (RFC 9112).
struct HTTP1Writer: ResponseWriter {
    let channel: any Channel

    func writeContinue() async {
        // If the client has disconnected, the next read reports it.
        try? await channel.writeAndFlush(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")).get()
    }

    func writeHead(_ head: ResponseOut, body: Bytes?) async throws {
        try await channel.writeAndFlush(Self.encode(head, body: body, channel.allocator)).get()
    }

    /// Encodes a head, and the whole body if it is given.
    static func encode(_ head: ResponseOut, body: Bytes?, _ allocator: ByteBufferAllocator) -> ByteBuffer {
        var buffer = allocator.buffer(capacity: 256 + (body?.count ?? 0))
        buffer.writeStaticString("HTTP/1.1 ")
        buffer.writeString(String(head.status.code))
        buffer.writeStaticString(" ")
        buffer.writeString(head.status.reasonPhrase)
        buffer.writeStaticString("\r\n")
        for field in head.headers {
            buffer.writeString(field.name.rawName)
            buffer.writeStaticString(": ")
            buffer.writeString(field.value)
            buffer.writeStaticString("\r\n")
        }
        if head.headers[.contentLength] == nil {
            if head.isChunked {
                buffer.writeStaticString("Transfer-Encoding: chunked\r\n")
            } else if let length = head.length, head.mayHaveLength {
                buffer.writeString("Content-Length: \(length)\r\n")
            }
        }
        if !head.keepsAlive {
            buffer.writeStaticString("Connection: close\r\n")
        } else if !head.allowsChunked {
            buffer.writeStaticString("Connection: keep-alive\r\n")
        }
        buffer.writeStaticString("\r\n")
        if let body, head.allowsBody { body.withUnsafeBytes { _ = buffer.writeBytes($0) } }
        return buffer
    }

    func writeChunk(_ bytes: Bytes, of head: ResponseOut, isLast: Bool) async throws {
        guard head.isChunked else {
            try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
            return
        }
        var buffer = channel.allocator.buffer(capacity: bytes.count + 16)
        buffer.writeString(String(bytes.count, radix: 16) + "\r\n")
        buffer.writeBytes(bytes)
        buffer.writeString("\r\n")
        try await channel.writeAndFlush(buffer).get()
    }

    func writeEnd(of head: ResponseOut, trailers: HTTPFields?) async throws {
        guard head.isChunked else { return }
        var text = "0\r\n"
        for field in trailers ?? [:] { text += "\(field.name.rawName): \(field.value)\r\n" }
        try await channel.writeAndFlush(ByteBuffer(string: text + "\r\n")).get()
    }

    var format: WireFormat { .http1 }

    func writeRaw(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    /// The next request isn't read before this response is complete, and by then the connection has stopped reading.
    func ignoreRequests() {}

    func becomeDeaf() async {
        await channel.becomeDeaf()
    }

    func drop(_ form: ConnectionDrop.Form) async {
        guard form != .stall else {
            try? await channel.closeFuture.get()
            return
        }
        await channel.endAbruptly(resets: form != .close)
    }
}
#endif
