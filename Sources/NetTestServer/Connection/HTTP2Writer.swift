#if ServerTLS
internal import HTTPTypes
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2
internal import NetCore
internal import NetTesting

/// Writes the response of one HTTP/2 stream. A write returns after the peer's flow-control window has admitted the
/// bytes and the kernel has accepted them.
struct HTTP2Writer: ResponseWriter {
    let channel: any Channel
    /// The connection that the stream belongs to.
    let connection: any Channel
    /// The stream's ID.
    let stream: Int
    /// Makes the connection ignore new streams.
    let silence: @Sendable () -> Void

    func writeContinue() async {
        // If the client has disconnected, the next read reports it.
        try? await channel.writeAndFlush(Self.headers([":status": "100"], endStream: false)).get()
    }

    func writeHead(_ head: ResponseOut, body: Bytes?) async throws {
        var headers = HPACKHeaders([(":status", String(head.status.code))])
        for field in head.headers where !Self.connectionFields.contains(field.name.canonicalName) {
            headers.add(name: field.name.canonicalName, value: field.value)
        }
        if head.headers[.contentLength] == nil, let length = head.length, head.mayHaveLength {
            headers.add(name: "content-length", value: String(length))
        }
        guard let body else {
            try await channel.writeAndFlush(Self.headers(headers, endStream: false)).get()
            return
        }
        guard head.allowsBody, !body.isEmpty else {
            try await channel.writeAndFlush(Self.headers(headers, endStream: true)).get()
            return
        }
        channel.write(Self.headers(headers, endStream: false), promise: nil)
        try await channel.writeAndFlush(Self.data(body, endStream: true)).get()
    }

    func writeChunk(_ bytes: Bytes, of head: ResponseOut, isLast: Bool) async throws {
        try await channel.writeAndFlush(Self.data(bytes, endStream: isLast)).get()
    }

    func writeEnd(of head: ResponseOut, trailers: HTTPFields?) async throws {
        if let trailers, !trailers.isEmpty {
            let headers = HPACKHeaders(trailers.map { ($0.name.canonicalName, $0.value) })
            try await channel.writeAndFlush(Self.headers(headers, endStream: true)).get()
        } else {
            try await channel.writeAndFlush(Self.data(Bytes(), endStream: true)).get()
        }
    }

    var format: WireFormat { .http2(stream: stream) }

    func writeRaw(_ bytes: [UInt8]) async throws {
        // Written from the context of NIOHTTP2Handler, the bytes bypass that handler but pass through TLS.
        let pipeline = connection.pipeline
        try await connection.eventLoop.flatSubmit {
            do {
                let context = try pipeline.syncOperations.context(handlerType: NIOHTTP2Handler.self)
                let promise = context.eventLoop.makePromise(of: Void.self)
                context.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: promise)
                return promise.futureResult
            } catch {
                return pipeline.eventLoop.makeFailedFuture(error)
            }
        }.get()
    }

    func ignoreRequests() {
        silence()
    }

    func becomeDeaf() async {
        await connection.becomeDeaf()
    }

    func drop(_ form: ConnectionDrop.Form) async {
        guard form != .stall else {
            try? await channel.closeFuture.get()
            return
        }
        guard form == .resetStream else {
            await connection.endAbruptly(resets: form == .reset)
            return
        }
        // A stream that is already closed isn't an error.
        try? await channel.writeAndFlush(HTTP2Frame.FramePayload.rstStream(.internalError)).get()
        try? await channel.closeFuture.get()
    }

    /// Header fields that HTTP/2 forbids (RFC 9113 section 8.2.2).
    private static let connectionFields: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]

    private static func headers(_ headers: HPACKHeaders, endStream: Bool) -> HTTP2Frame.FramePayload {
        .headers(HTTP2Frame.FramePayload.Headers(headers: headers, endStream: endStream))
    }

    private static func data(_ bytes: Bytes, endStream: Bool) -> HTTP2Frame.FramePayload {
        .data(HTTP2Frame.FramePayload.Data(data: .byteBuffer(ByteBuffer(bytes: bytes)), endStream: endStream))
    }
}
#endif
