#if Server
internal import HTTPTypes
internal import NetCore
internal import NetTesting

/// A stub's body that failed after the head was sent.
struct BodyFailure: SecretlessError {
    let description: String
}

/// Sends one stub response: whole, in pieces, or only up to its drop.
struct ResponseSender: Sendable {
    private static let pieceBytes = 64 << 10

    let core: ServerCore
    let entry: Int
    let head: RequestHead
    let writer: any ResponseWriter
    /// The request's body, which the client may still be waiting to send.
    var body: InboundBody?

    /// Sends the response. Returns true if the connection can serve another request.
    func send(_ response: StubResponse, keepsAlive: Bool) async throws -> Bool {
        if let drop = response.drop, drop.point == .beforeHead {
            await writer.drop(drop.form)
            return false
        }
        let opened: StubBody.Opened
        do {
            opened = try response.body.open()
        } catch {
            let reason = "the body of the response cannot be made: \(ErrorSummary.describe(error))"
            core.log.update(entry) { entry, _ in entry?.outcome = .failed(reason) }
            return try await send(.text(reason + "\n", status: .internalServerError), keepsAlive: keepsAlive)
        }
        if let fault = response.fault {
            if let objection = FaultSender.objection(to: fault, version: head.version) {
                core.log.update(entry) { entry, _ in entry?.outcome = .failed(objection) }
                return try await send(.text(objection + "\n", status: .internalServerError), keepsAlive: keepsAlive)
            }
            if FaultSender.isNeeded(for: fault) {
                try await sendRaw(fault, response, opened)
                return false
            }
        }
        return try await send(opened, of: response, keepsAlive: keepsAlive)
    }

    private func send(_ opened: StubBody.Opened, of response: StubResponse, keepsAlive: Bool) async throws -> Bool {
        // A streamed body may read from the request's body; once the response has started, `100 (Continue)` would be
        // too late.
        if case .stream = opened { await body?.permit() }
        let response = response.applyingHeadFault(target: head.target, bodyLength: opened.length)
        // A client that gets a response while it waits for `100 (Continue)` may or may not send the body, so the
        // connection can't be reused.
        let isBodyDue = body?.isAwaitingContinue ?? false
        let out = ResponseOut(response, length: opened.length, to: head, keepsAlive: keepsAlive && !isBodyDue)
        core.log.update(entry) { entry, _ in entry?.status = response.status.code }
        guard out.allowsBody else {
            try await writer.writeHead(out, body: Bytes())
            return out.keepsAlive
        }
        if response.fault == .halfOpen { writer.ignoreRequests() }
        let sent = try await sendBody(opened, out, response)
        if response.fault == .halfOpen {
            await writer.becomeDeaf()
            return false
        }
        if let drop = response.drop {
            await writer.drop(drop.form)
            return false
        }
        // A stub whose Content-Length doesn't match its body leaves the client waiting, or reading into the next
        // response.
        if let promised = response.headers[.contentLength] ?? out.length.map(String.init), promised != String(sent) {
            return false
        }
        return out.keepsAlive
    }

    private func sendRaw(_ fault: Fault, _ response: StubResponse, _ opened: StubBody.Opened) async throws {
        core.log.update(entry) { entry, _ in entry?.status = 200 }
        var body = Array(BytePattern.bytes(from: 0, count: 1000))
        if case .whole(let bytes) = opened, bytes.count > 1 { body = Array(bytes.prefix(60_000)) }
        try await FaultSender(core: core, response: response, body: body, writer: writer).send(fault)
    }

    /// Sends head and body; returns the number of body bytes that the kernel accepted.
    private func sendBody(_ opened: StubBody.Opened, _ out: ResponseOut, _ response: StubResponse) async throws -> Int64
    {
        var progress = Progress(limit: response.drop?.bodyLimit ?? .max, pace: response.pace)
        if response.drop == nil, out.headers[.contentLength] == nil { progress.end = out.length }
        let isSlowed = response.drop != nil || response.pace != nil
        if case .whole(let bytes) = opened, bytes.count <= Self.pieceBytes, !isSlowed, !out.isChunked {
            try await writer.writeHead(out, body: bytes)
            count(bytes.count)
            return Int64(bytes.count)
        }
        try await writer.writeHead(out, body: nil)
        switch opened {
        case .whole(let bytes):
            try await sendPieces(bytes, out, &progress)
        case .script(_, var iterator):
            while !progress.isAtLimit, let chunk = iterator.next() {
                if chunk.delay > .zero { try await core.clock.sleep(for: chunk.delay) }
                try await sendPieces(chunk.bytes, out, &progress)
            }
        case .stream(_, let body):
            while !progress.isAtLimit, let bytes = try await nextChunk(of: body) {
                try await sendPieces(bytes, out, &progress)
            }
        }
        if response.drop == nil, !progress.isAtEnd { try await writer.writeEnd(of: out, trailers: response.trailers) }
        return progress.sent
    }

    /// The progress of a body.
    private struct Progress {
        /// The offset at which a drop ends the body.
        let limit: Int64
        /// The throttling of the body.
        let pace: StubPace?
        /// The body's own length; nil if it is unknown.
        var end: Int64?
        var sent: Int64 = 0

        init(limit: Int64, pace: StubPace?) {
            self.limit = limit
            self.pace = pace
        }

        var isAtLimit: Bool { sent >= limit }
        var isAtEnd: Bool { sent > 0 && sent == end }
    }

    /// Sends bytes in pieces of bounded size, up to the limit.
    private func sendPieces(_ bytes: Bytes, _ out: ResponseOut, _ progress: inout Progress) async throws {
        var offset = 0
        let pieceBytes = min(progress.pace?.pieceBytes ?? Self.pieceBytes, Self.pieceBytes)
        while offset < bytes.count, !progress.isAtLimit, !progress.isAtEnd {
            let most = min(Int64(min(pieceBytes, bytes.count - offset)), progress.limit - progress.sent)
            let size = Int(min(most, (progress.end ?? .max) - progress.sent))
            if let pace = progress.pace { try await core.clock.sleep(for: pace.pause(before: size)) }
            let isLast = progress.sent + Int64(size) == progress.end
            try await writer.writeChunk(bytes[offset..<(offset + size)], of: out, isLast: isLast)
            offset += size
            progress.sent += Int64(size)
            count(size)
        }
    }

    private func nextChunk(of body: ResponseBody) async throws -> Bytes? {
        do {
            return try await withTaskCancellationHandler {
                var iterator = body.makeAsyncIterator()
                return try await iterator.next()
            } onCancel: {
                body.cancel()
            }
        } catch {
            try Task.checkCancellation()
            throw BodyFailure(description: "the stub's body failed: \(ErrorSummary.describe(error))")
        }
    }

    private func count(_ bytes: Int) {
        core.log.update(entry) { entry, statistics in
            entry?.bytesWritten += Int64(bytes)
            statistics.bytesWritten += Int64(bytes)
        }
    }
}
#endif
