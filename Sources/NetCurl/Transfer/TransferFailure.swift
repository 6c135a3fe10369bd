#if os(Linux)
internal import CCurl
internal import NetCore

extension LoopCore {
    /// Returns the current phase of a transfer.
    func phase(of transfer: Transfer) -> NetError.Phase {
        guard let easy = transfer.easy else { return .queued }
        if transfer.head.isComplete { return .receiving }
        if transfer.sending > 0 {
            if let upload = transfer.upload { return upload.hasSentAll ? .waiting : .sending }
            guard let body = transfer.body else { return .waiting }
            return net_easy_get_offset(easy.raw, CURLINFO_SIZE_UPLOAD_T) < body.count ? .sending : .waiting
        }
        return connectPhase(
            of: easy.raw, by: transfer.options.route, isSecure: transfer.request.head.scheme == "https",
            isConnected: transfer.isConnected)
    }

    /// Returns the current phase of a connection that isn't established yet.
    func connectPhase(
        of easy: UnsafeMutableRawPointer, by route: Route, isSecure: Bool, isConnected: Bool
    ) -> NetError.Phase {
        if net_easy_get_offset(easy, CURLINFO_NAMELOOKUP_TIME_T) == 0 { return .resolving }
        // A SOCKS proxy may have accepted the connection without having opened its own connection yet; libcurl doesn't
        // report that.
        guard isSecure, route.proxy?.address.scheme.isHTTP != false else { return .connecting }
        // libcurl reports the time of a connection only after TLS is also established. The local port is known as soon
        // as TCP is connected, but newer versions (8.14) don't report it either.
        return isConnected || net_easy_get_long(easy, CURLINFO_LOCAL_PORT) > 0 ? .securing : .connecting
    }

    /// Returns the error for a transfer that libcurl ended with the given code.
    func failure(of transfer: Transfer, _ code: CURLcode) -> NetError {
        let error = reason(of: transfer, code)
        if transfer.isInDoubt, !error.mayHaveArrived { return error.knowing(.unanswered) }
        guard error.code == .connectionLost else { return error }
        if transfer.isUnprocessed, !transfer.isInDoubt {
            let count = transfer.sendCount == 1 ? "" : ", the last of \(transfer.sendCount)"
            return transfer.context.error(
                .connectionLost, phase: .waiting,
                message:
                    "the server ended the HTTP/2 connection without processing the request\(count): \(error.message)"
            ).knowing(.unprocessed)
        }
        guard transfer.mayHaveLostResponse || transfer.mayHaveLostBody else { return error }
        return transfer.context.error(
            .connectionLost, phase: error.phase,
            message: "\(error.message). \(Transfer.lostResponse)")
    }

    private func reason(of transfer: Transfer, _ code: CURLcode) -> NetError {
        if wasHeld, transfer.sending > 0, !transfer.head.version.hasPrefix("1.") {
            return transfer.context.error(
                .protocolViolation, phase: phase(of: transfer),
                message:
                    "the server sent an endless stream of empty HTTP/2 frames, so the connection was closed; report "
                    + "this to its operator, or use HTTP/1.1 (version = .http1)")
        }
        // Newer versions (8.5) have no message for a header that nghttp2 rejects, either.
        if code == CURLE_HTTP2, !transfer.head.hasBegun, transfer.easy?.errorText.isEmpty == true {
            return transfer.context.error(
                .connectionLost, phase: phase(of: transfer),
                message: "the HTTP/2 stream ended before its response began, because of a GOAWAY or a malformed field")
        }
        let detail = transfer.easy?.errorText ?? ""
        // Only a transfer whose head is incomplete can have caused the failure.
        if CurlFeatures.blamesAllOnConnection, Self.isHeadTooLarge(detail),
            !transfer.head.hasBegun || transfer.head.isComplete
        {
            return transfer.context.error(
                .connectionLost, phase: phase(of: transfer),
                message: "the HTTP/2 connection ended because of another response on it: \(detail)")
        }
        // If a length was announced, libcurl reports an end inside the head as one inside the body.
        if code == CURLE_PARTIAL_FILE, !transfer.head.isComplete { return endInsideHead(of: transfer) }
        // 100 is CURLE_TOO_LARGE, which was added in libcurl 8.6.
        if code == CURLE_OUT_OF_MEMORY || code == CURLE_URL_MALFORMAT || code.rawValue == 100,
            let error = tooLarge(transfer)
        {
            return error
        }
        var attempt = ConnectFailure.Attempt(
            host: transfer.request.head.authority ?? "", route: transfer.options.route, easy: transfer.easy?.raw,
            isConnected: transfer.isConnected, isSent: transfer.sending > 0,
            mayUseHTTP2: transfer.easy?.isHTTP1 == false)
        attempt.isPlain = transfer.options.url.hasPrefix("http:")
        return failure(
            code, text: detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail, attempt: attempt,
            phase: code == CURLE_OPERATION_TIMEDOUT && hasOnlyWaited(transfer) ? .connecting : phase(of: transfer),
            context: transfer.context)
    }

    /// Returns the error for a connection that ended inside the response's head.
    func endInsideHead(of transfer: Transfer) -> NetError {
        transfer.context.error(
            .connectionLost, phase: .waiting, message: "the connection ended inside the head of the response")
    }

    /// True if the message is about a flood of HTTP/2 header frames, which nghttp2 and libcurl stop themselves.
    /// Otherwise, libcurl's callback fails only if memory runs out.
    private static func isHeadTooLarge(_ reason: String) -> Bool {
        reason.contains("Too many CONTINUATION") || reason.contains("user callback function failed")
    }

    /// Returns the error for a header line longer than libcurl reads, or a request longer than it writes. libcurl
    /// reports these as out of memory, as too large or as a malformed URL.
    private func tooLarge(_ transfer: Transfer) -> NetError? {
        let head = transfer.request.head
        let count = head.headerFields.reduce(transfer.options.url.utf8.count) {
            $0 + $1.name.rawName.utf8.count + $1.value.utf8.count
        }
        if count > 512 << 10 {
            return transfer.context.error(
                .invalidRequest, phase: .preparing,
                message: "the URL and the headers of the request have \(count) bytes, more than libcurl sends (1 MiB)")
        }
        guard transfer.sending > 0, !transfer.head.isComplete else { return nil }
        return transfer.context.error(
            .headersTooLarge, phase: .waiting,
            message: "a line of the response's head is longer than libcurl reads (about 100 KB)")
    }

    /// True if the connect timeout expired while the transfer waited for a free connection or for one that another
    /// transfer opens. libcurl 8.14 counts that as connecting; only its message is different.
    func hasOnlyWaited(_ transfer: Transfer) -> Bool {
        !transfer.madeConnection && transfer.sending == 0
            && transfer.easy?.errorText.hasPrefix("Operation timed out") == true
    }

    /// Returns the error for libcurl's code; `phase` is the current one, used if the code doesn't determine it.
    func failure(
        _ code: CURLcode, text reason: String, attempt: ConnectFailure.Attempt, phase current: NetError.Phase,
        context: CallContext
    ) -> NetError {
        let host = attempt.host
        if let failure = attempt.failure(code, reason, configuration.connection) {
            return context.error(failure.code, phase: failure.phase, message: failure.message)
        }
        let (kind, phase, message): (NetError.Code, NetError.Phase, String) =
            switch code {
            case _ where Self.isHeadTooLarge(reason):
                (.headersTooLarge, current, "the response's header section is too large: \(reason)")
            // A response over HTTPS that has only an alias (CNAME): libcurl creates a list of no addresses.
            case CURLE_OUT_OF_MEMORY where current == .resolving && configuration.connection.resolvesOverHTTPS:
                (
                    .dns, .resolving,
                    "the DNS server that is asked over HTTPS has no address for \(host); check the spelling of the name"
                )
            case CURLE_COULDNT_RESOLVE_HOST:
                (.dns, .resolving, "the host name of \(host) has no address; check its spelling and the network")
            case CURLE_OPERATION_TIMEDOUT:
                (.timeout, current, "no connection to \(attempt.place) within the connect timeout: \(reason)")
            // The code depends on the version.
            case CURLE_GOT_NOTHING where attempt.mayUseHTTP2,
                _ where attempt.mayUseHTTP2 && reason.hasPrefix("Empty reply"):
                (
                    .connectionLost, .waiting,
                    "the connection ended without a response; over HTTP/2, a server that wants a client certificate "
                        + "for this URL does this too (tls.identity), and one whose header is above 64 KB"
                )
            case CURLE_GOT_NOTHING:
                (
                    .connectionLost, .waiting,
                    "the server closed the connection without a response"
                        + (attempt.isPlain ? "; one that expects TLS does this too: is this a port for https?" : "")
                )
            case CURLE_PARTIAL_FILE:
                (.connectionLost, .receiving, "the connection ended inside the body: \(reason)")
            case CURLE_WEIRD_SERVER_REPLY where reason.contains("Content-Length"):
                (.invalidFraming, current, "the response's length cannot be trusted: \(reason)")
            case CURLE_RECV_ERROR where reason.contains("hunk"):
                (.invalidFraming, .receiving, "the body's chunked encoding is invalid: \(reason)")
            case CURLE_HTTP2_STREAM where reason.contains("PROTOCOL_ERROR"):
                (.protocolViolation, current, "the stream violated the HTTP/2 protocol: \(reason)")
            case CURLE_SEND_FAIL_REWIND: (.connectionLost, current, Transfer.bodyIsGone)
            case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2_STREAM:
                (.connectionLost, current, "the connection broke: \(reason)")
            // A line of the head, of the trailers or of a chunk that libcurl can't parse.
            case CURLE_BAD_FUNCTION_ARGUMENT where current == .waiting || current == .receiving:
                (.protocolViolation, current, "the server's response is not valid HTTP: \(reason)")
            case CURLE_URL_MALFORMAT:
                (.invalidRequest, .preparing, "libcurl cannot use the URL: \(reason)")
            // The response to a request without TLS at a port that expects it is an alert of TLS.
            case CURLE_UNSUPPORTED_PROTOCOL where reason.contains("HTTP/0.9"):
                (
                    .protocolViolation, current,
                    "the server doesn't respond with HTTP; is this a port for https? (\(reason))"
                )
            case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_HTTP2, CURLE_BAD_CONTENT_ENCODING:
                (.protocolViolation, current, "the server's response is not valid HTTP: \(reason)")
            default:
                (.unknown, current, "libcurl error \(code.rawValue): \(reason)")
            }
        return context.error(kind, phase: phase, message: message)
    }

    /// Sets the times of the request and of the response's head. They are the loop's: libcurl has no time for the end of
    /// the request, and for a request with a body, its `STARTTRANSFER_TIME` is that of the first sent byte.
    private func set(_ metrics: inout TransferMetrics, of transfer: Transfer, started: Int64) {
        guard transfer.sending > 0 else { return }
        func time(_ moment: UInt64, since earlier: Int64) -> Int64 {
            max(earlier, Int64(clamping: moment &- min(moment, transfer.admitted)) / 1000)
        }
        // The loop reads the clock once in a turn, so its times may differ a little from libcurl's.
        let started = time(transfer.sending, since: max(1, started))
        let sent = time(transfer.lastSent, since: started)
        let answered = time(transfer.answered, since: started)
        metrics.set(.requestStarted, microseconds: started)
        if transfer.hasSentAll { metrics.set(.requestSent, microseconds: sent) }
        if transfer.head.isComplete { metrics.set(.firstByte, microseconds: answered) }
        metrics.total = max(metrics.total, .microseconds(max(sent, answered)))
    }

    /// Returns libcurl's measurements of a transfer.
    func metrics(of transfer: Transfer, easy: EasyHandle) -> TransferMetrics {
        let raw = easy.raw
        // libcurl's times start when it gets the transfer.
        let queued = Int64(clamping: (transfer.started - transfer.admitted) / 1000)
        func time(_ info: CURLINFO) -> Int64 {
            let time = Int64(net_easy_get_offset(raw, info))
            return time > 0 ? time + queued : 0
        }
        var metrics = TransferMetrics(
            nanoseconds: (Int64(net_easy_get_offset(raw, CURLINFO_TOTAL_TIME_T)) + queued) * 1000,
            responseBytes: transfer.received, version: transfer.head.version)
        if transfer.body != nil || transfer.upload != nil {
            metrics.requestBytes = Int64(net_easy_get_offset(raw, CURLINFO_SIZE_UPLOAD_T))
        }
        metrics.isReused = !transfer.madeConnection
        metrics.set(.queued, microseconds: queued)
        if transfer.madeConnection {
            metrics.set(.resolved, microseconds: time(CURLINFO_NAMELOOKUP_TIME_T))
            metrics.set(.connected, microseconds: time(CURLINFO_CONNECT_TIME_T))
            metrics.set(.secured, microseconds: time(CURLINFO_APPCONNECT_TIME_T))
        }
        set(&metrics, of: transfer, started: time(CURLINFO_PRETRANSFER_TIME_T))
        if let address = net_easy_get_string(raw, CURLINFO_PRIMARY_IP), address.pointee != 0 {
            metrics.remoteAddress = remoteAddress.text(address, port: net_easy_get_long(raw, CURLINFO_PRIMARY_PORT))
        }
        return metrics
    }
}
#endif
