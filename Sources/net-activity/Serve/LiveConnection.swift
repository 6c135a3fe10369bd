#if Tools && Server
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NetCore
internal import NetStore

/// A browser's connection.
struct LiveConnection: Sendable {
    /// The pause between two checks for news.
    private static let pause = Duration.milliseconds(250)
    /// The number of checks without news, 15 seconds in all, after which a comment is sent to keep the connection
    /// active.
    private static let keepAlive = 60

    let feed: LiveFeed
    let gate: LiveGate

    private typealias Writer = NIOAsyncChannelOutboundWriter<HTTPPart<HTTPResponseHead, ByteBuffer>>

    /// Serves the connection until either side ends it.
    func serve(_ connection: LiveServer.Connection) async {
        // Errors are ignored: the browser is gone or doesn't speak HTTP, so that nobody could read a response.
        try? await connection.executeThenClose { inbound, outbound in
            for try await part in inbound {
                guard case .head(let head) = part else { continue }
                guard try await respond(to: head, on: outbound, of: connection.channel) else { return }
            }
        }
    }

    /// Sends a response; returns false if the connection can't be used any further.
    private func respond(
        to head: HTTPRequestHead, on writer: Writer, of channel: any Channel
    ) async throws -> Bool {
        let place: LiveGate.Place
        do throws(LiveGate.Refusal) {
            place = try gate.place(method: head.method.rawValue, target: head.uri) { head.headers.first(name: $0) }
        } catch {
            try await send(
                Array((error.text + "\n").utf8), "text/plain; charset=utf-8", status: error.status, on: writer)
            return false
        }
        do {
            switch place {
            case .page: try await send(LivePage.html, "text/html; charset=utf-8", on: writer)
            case .list: try await send(feed.list(), "application/json", on: writer)
            case .findings: try await send(feed.findings(), "application/json", on: writer)
            case .part(let number): try await send(feed.part(number), "application/octet-stream", on: writer)
            case .events(let last):
                await whileOpen(channel) { try await sendEvents(after: last, on: writer) }
                return false
            }
        } catch let error as StoreError {
            let text = Array("\(error)\n".utf8)
            try await send(text, "text/plain; charset=utf-8", status: .internalServerError, on: writer)
        }
        return head.isKeepAlive
    }

    private func send(
        _ body: [UInt8], _ type: String, status: HTTPResponse.Status = .ok, on writer: Writer
    ) async throws {
        var head = Self.head(type, status: status)
        head.headers.add(name: "Content-Length", value: "\(body.count)")
        try await writer.write(contentsOf: [.head(head), .body(ByteBuffer(bytes: body)), .end(nil)])
    }

    /// Runs the body until it ends or the browser disconnects.
    private func whileOpen(
        _ channel: any Channel, _ body: @escaping @Sendable () async throws -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await channel.closeFuture.get() }
            // After any error, the browser connects again.
            group.addTask { try? await body() }
            await group.next()
            group.cancelAll()
            // Cancellation doesn't end the first task; closing the channel does.
            channel.close(promise: nil)
        }
    }

    /// Sends news until the browser disconnects or the task is cancelled. A slow browser gets larger updates less
    /// often.
    private func sendEvents(after last: Int64, on writer: Writer) async throws {
        try await writer.write(.head(Self.head("text/event-stream", status: .ok)))
        var news = LiveNews(feed: feed, after: last)
        var quiet = 0
        while true {
            switch try await news.next() {
            case .entries(let data):
                try await writer.write(.body(event("news", id: news.last, data)))
                quiet = 0
            case .reload:
                try await writer.write(.body(event("reload", id: news.last, [])))
                quiet = 0
            case nil:
                quiet += 1
                if quiet.isMultiple(of: Self.keepAlive) { try await writer.write(.body(ByteBuffer(string: ":\n\n"))) }
            }
            try await NetClock.system.sleep(for: Self.pause)
        }
    }

    /// Encodes an event according to https://html.spec.whatwg.org/multipage/server-sent-events.html; the data contain
    /// no line break.
    private func event(_ name: String, id: Int64, _ data: [UInt8]) -> ByteBuffer {
        var buffer = ByteBuffer(string: "event: \(name)\nid: \(id)\ndata: ")
        buffer.writeBytes(data)
        buffer.writeStaticString("\n\n")
        return buffer
    }

    private static func head(_ type: String, status: HTTPResponse.Status) -> HTTPResponseHead {
        let fields = [
            ("Content-Type", type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
            ("Content-Security-Policy", "frame-ancestors 'none'"), ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("Referrer-Policy", "no-referrer"),
        ]
        let allow = status == .methodNotAllowed ? [("Allow", "GET")] : []
        return HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: status.code), headers: HTTPHeaders(fields + allow)
        )
    }
}
#endif
