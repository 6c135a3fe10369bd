#if Server
internal import HTTPTypes
internal import NetCore
internal import NetTesting

/// A stub's body that could not be made, after the head was sent.
struct BodyFailure: Error, CustomStringConvertible {
    let description: String
}

/// Sends one stub response: whole, in pieces, or only as far as its drop allows.
struct ResponseSender: Sendable {
    private static let pieceBytes = 64 << 10

    let core: ServerCore
    let entry: Int
    let head: RequestHead
    let writer: any ResponseWriter

    /// Sends the response. True when the connection can serve another request.
    func send(_ response: StubResponse, keepsAlive: Bool) async throws -> Bool {
        if let drop = response.drop, drop.bodyLimit == nil {
            await writer.drop(drop.form)
            return false
        }
        let opened: StubBody.Opened
        do {
            opened = try response.body.open()
        } catch {
            let reason = "the body of the response cannot be made: \(error)"
            core.log.update(entry) { entry, _ in entry?.outcome = .failed(reason) }
            return try await send(.text(reason + "\n", status: .internalServerError), keepsAlive: keepsAlive)
        }
        let out = makeHead(response, opened, keepsAlive: keepsAlive)
        core.log.update(entry) { entry, _ in entry?.status = response.status.code }
        guard out.allowsBody else {
            try await writer.writeHead(out, body: Bytes())
            return out.keepsAlive
        }
        let sent = try await sendBody(opened, out, response)
        if let drop = response.drop {
            await writer.drop(drop.form)
            return false
        }
        // A stub that promises another length than it sends leaves the client waiting, or reading into the next answer.
        if let promised = response.fields[.contentLength], promised != String(sent) { return false }
        return out.keepsAlive
    }

    private func makeHead(_ response: StubResponse, _ opened: StubBody.Opened, keepsAlive: Bool) -> ResponseOut {
        let code = response.status.code
        let allowsBody = head.method != .head && code >= 200 && code != 204 && code != 304
        let allowsChunked = head.version != "1.0"
        let length = response.trailers == nil || !allowsChunked ? opened.length : nil
        // Without a length or chunks the end of the connection is the end of the body.
        let isDelimited = !allowsBody || allowsChunked || length != nil || response.fields[.contentLength] != nil
        let closes = response.fields[.connection]?.lowercased() == "close"
        var fields = response.fields
        if closes { fields[.connection] = nil }
        return ResponseOut(
            status: response.status, fields: fields, length: length, allowsBody: allowsBody,
            keepsAlive: keepsAlive && isDelimited && !closes, allowsChunked: allowsChunked)
    }

    /// Sends head and body; returns how many body bytes the kernel accepted.
    private func sendBody(_ opened: StubBody.Opened, _ out: ResponseOut, _ response: StubResponse) async throws -> Int64 {
        let limit = response.drop?.bodyLimit ?? .max
        if case .whole(let bytes) = opened, bytes.count <= Self.pieceBytes, limit == .max, !out.isChunked {
            try await writer.writeHead(out, body: bytes)
            count(bytes.count)
            return Int64(bytes.count)
        }
        try await writer.writeHead(out, body: nil)
        var sent: Int64 = 0
        switch opened {
        case .whole(let bytes):
            _ = try await sendPieces(bytes, out, limit, &sent)
        case .script(_, var iterator):
            while sent < limit, let chunk = iterator.next() {
                if chunk.delay > .zero { try await core.clock.sleep(for: chunk.delay) }
                guard try await sendPieces(chunk.bytes, out, limit, &sent) else { break }
            }
        case .stream(_, let body):
            while sent < limit, let bytes = try await nextChunk(of: body) {
                guard try await sendPieces(bytes, out, limit, &sent) else { break }
            }
        }
        if response.drop == nil { try await writer.writeEnd(of: out, trailers: response.trailers) }
        return sent
    }

    /// Sends bytes in pieces of bounded size; false when the limit is reached.
    private func sendPieces(
        _ bytes: Bytes, _ out: ResponseOut, _ limit: Int64, _ sent: inout Int64
    ) async throws -> Bool {
        var offset = 0
        while offset < bytes.count {
            let size = Int(min(Int64(min(Self.pieceBytes, bytes.count - offset)), limit - sent))
            guard size > 0 else { return false }
            try await writer.writeChunk(bytes[offset..<(offset + size)], of: out)
            offset += size
            sent += Int64(size)
            count(size)
        }
        return sent < limit
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
            throw BodyFailure(description: "the stub's body broke off: \(error)")
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
