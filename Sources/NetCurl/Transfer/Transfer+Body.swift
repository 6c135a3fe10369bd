#if os(Linux)
internal import CCurl
internal import Glibc
internal import NetCore

// Handling of a response's body, called by libcurl's callbacks on the loop's thread.

extension Transfer {
    /// Takes bytes of the body as received; returns the number of bytes taken, or the value that pauses the transfer.
    func takeBody(_ bytes: UnsafeRawBufferPointer, from handle: EasyHandle) -> Int {
        if let stream, stream.isFull() {
            lastActivity = handle.now.pointee
            isReceivePaused = true
            core?.hold(self)
            return net_write_pause
        }
        if hasHadItsTurn(with: bytes.count, at: handle.now.pointee) {
            core?.heldOver.append(self)
            return net_write_pause
        }
        guard head.isChunked, head.version.hasPrefix("1.") else {
            lastActivity = handle.now.pointee
            let announced =
                stream == nil && collect.count == 0
                ? Int(clamping: net_easy_get_offset(handle.raw, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)) : 0
            return take(bytes, announced: announced) ? bytes.count : 0
        }
        return takeChunks(bytes, from: handle) ? bytes.count : 0
    }

    private static let turnBytes = 64 << 10
    private static let turnNanoseconds: UInt64 = 5_000_000

    /// True if the rest must wait for the next turn: libcurl reads a TLS connection up to a hundred times in one turn,
    /// while other transfers wait. Not done for HTTP/2, where a pause would also stop other streams.
    private func hasHadItsTurn(with count: Int, at now: UInt64) -> Bool {
        if turn != now { (turn, turnBytes) = (now, 0) }
        if turnBytes >= Self.turnBytes, LoopCore.readClock() &- now > Self.turnNanoseconds,
            head.version.hasPrefix("1.")
        {
            return true
        }
        turnBytes += count
        return false
    }

    /// Takes decoded data; returns false to end the transfer.
    private func take(_ data: UnsafeRawBufferPointer, announced: Int = 0) -> Bool {
        received += Int64(data.count)
        guard let stream else {
            if collect.append(data, announced: announced) { return true }
            abort(ResponseBody.tooLarge(request.options.maximumResponseBytes))
            return false
        }
        stream.append(data)
        window.advance(descriptor, received: received)
        core?.markDirty(self)
        return true
    }

    /// Decodes chunks and the bytes after the last one; returns false to end the transfer. The data of all chunks is
    /// passed on together, because a server may send one byte in each. Data before a fault was really sent, and is
    /// passed on first.
    private func takeChunks(_ bytes: UnsafeRawBufferPointer, from handle: EasyHandle) -> Bool {
        var data = GatheredData(core?.scratch, of: bytes)
        var index = 0
        while true {
            switch chunks.next(bytes, &index) {
            case .data(let range):
                if let full = data.add(range), !take(full) { return false }
            case .trailer:
                lastActivity = handle.now.pointee
                let action = chunks.trailer.withUnsafeBytes { head.receive($0) }
                if case .fault(let fault) = action {
                    _ = hand(data, on: handle)
                    abort(error(of: fault))
                    return false
                }
            case .over(let surplus):
                // These bytes don't belong to a request and must not become the response to the next one (RFC 9112
                // section 9.2).
                if surplus > 0 { handle.endConnection() }
                return hand(data, on: handle)
            case .fault(let fault):
                guard hand(data, on: handle) else { return false }
                abort(error(of: fault))
                return false
            case .more:
                return hand(data, on: handle)
            }
        }
    }

    private func hand(_ data: GatheredData, on handle: EasyHandle) -> Bool {
        guard let rest = data.rest else { return true }
        lastActivity = handle.now.pointee
        return take(rest)
    }

    private func error(of fault: ChunkDecoder.Fault) -> NetError {
        let reason =
            switch fault {
            case .size: "a chunk does not begin with its size"
            case .sizeTooLarge: "a chunk size isn't a number below 2^63 with at most 16 digits"
            case .lineTooLong: "the extensions of a chunk are longer than \(ChunkDecoder.sizeLineLimit) bytes"
            case .sizeLine: "the size of a chunk is followed by something other than extensions"
            case .dataEnd: "the data of a chunk does not end where its size says"
            case .trailerEnd: "a line of the trailer section does not end in CR LF"
            case .trailerTooLong:
                "a line of the trailer section is longer than \(ChunkDecoder.trailerLimit) bytes"
            }
        let isLimit = fault == .trailerTooLong
        return context.error(
            isLimit ? .headersTooLarge : .invalidFraming, phase: .receiving,
            message: isLimit ? reason : "the body's chunked encoding is invalid: \(reason) (RFC 9112 section 7.1)")
    }
}

/// The data of the chunks in one piece of a body: the memory of the piece if it has only one chunk, otherwise a copy of
/// the data of all chunks.
private struct GatheredData {
    private let scratch: UnsafeMutableRawBufferPointer?
    private let bytes: UnsafeRawBufferPointer
    private var first: Range<Int>?
    private var count = 0

    init(_ scratch: UnsafeMutableRawBufferPointer?, of bytes: UnsafeRawBufferPointer) {
        self.scratch = scratch
        self.bytes = bytes
    }

    /// Adds data; returns data that must be passed on first because there is no room for it.
    mutating func add(_ range: Range<Int>) -> UnsafeRawBufferPointer? {
        if count > 0 {
            append(range)
            return nil
        }
        guard let begun = first else {
            first = range
            return nil
        }
        guard let scratch, bytes.count <= scratch.count else {
            first = range
            return UnsafeRawBufferPointer(rebasing: bytes[begun])
        }
        append(begun)
        append(range)
        return nil
    }

    private mutating func append(_ range: Range<Int>) {
        guard let target = scratch?.baseAddress, let base = bytes.baseAddress else { return }
        memcpy(target + count, base + range.lowerBound, range.count)
        count += range.count
    }

    /// The data that wasn't passed on; nil for none.
    var rest: UnsafeRawBufferPointer? {
        guard let first else { return nil }
        guard count > 0, let scratch else { return UnsafeRawBufferPointer(rebasing: bytes[first]) }
        return UnsafeRawBufferPointer(rebasing: scratch[..<count])
    }
}
#endif
