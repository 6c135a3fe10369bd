#if os(Linux)
internal import CCurl
internal import HTTPTypes
internal import NetCore

// Handling of a response's head, called by libcurl's callbacks on the loop's thread.

extension Transfer {
    /// Handles the result of a header line; returns false to end the transfer.
    func take(_ action: HeadCollector.Action, from handle: EasyHandle) -> Bool {
        switch action {
        case .none:
            return true
        case .interim:
            guard isSpoken(on: handle) else { return false }
            headBegan = 0
            request.options.onInterimResponse?(head.head())
            return true
        case .head:
            guard isSpoken(on: handle) else { return false }
            answered = handle.now.pointee
            if head.version.hasPrefix("1.") {
                if head.endsConnection {
                    handle.endConnection()
                } else if hasNoBody || head.isEmpty {
                    handle.receiveMessages()
                }
            }
            // libcurl repeats the request without the header if the server rejects the expectation (RFC 9110 section
            // 10.1.1), and with credentials if the proxy challenges it. Otherwise, a body or the end follows.
            let isAskedAgain =
                head.status.code == 417 && options.expectTimeout > 0
                || head.status.code == 407 && options.route.proxy != nil
            if stream != nil, !isAskedAgain { core?.markDirty(self) }
            if head.status.code / 100 == 3, isRedirected { core?.limitBody(of: self) }
            return true
        case .fault(let fault):
            abort(error(of: fault))
            return false
        }
    }

    /// True if the response has a version that is possible on the connection: libcurl accepts `HTTP/2` in a textual
    /// status line, and the checks for HTTP/1 connections would be skipped.
    private func isSpoken(on handle: EasyHandle) -> Bool {
        if !handle.isHTTP1 || head.version.hasPrefix("1.") { return true }
        abort(error(of: .notHTTP))
        return false
    }

    /// Checks a header line that libcurl hasn't parsed yet; returns false to end the transfer.
    func mayGoOn(with line: UnsafeRawBufferPointer) -> Bool {
        guard let fault = head.preview(line) else { return true }
        abort(error(of: fault))
        return false
    }

    /// Records the error with which the engine itself ends the transfer.
    func abort(_ error: NetError) {
        abortReason = error.belonging(to: context.summary, elapsed: context.elapsed)
    }

    /// Called when the request is about to be sent on a connection; returns false to end the transfer.
    ///
    /// libcurl resends a request on its own if a reused connection ends without a response. It's unknown whether the
    /// server processed the first request, so only a request that may be repeated is resent (RFC 9110 section 9.2.2).
    /// If it's known that the server didn't, any request is.
    func willSend(at now: UInt64, on handle: EasyHandle) -> Bool {
        sending = now
        lastActivity = now
        sendCount += 1
        if sendCount == 1 {
            isOnNewConnection = madeConnection
            if madeConnection { multi?.settle(options, isForAll: true) }
            return true
        }
        let wasRefused = isUnprocessed || wasRefusedAlone
        guard head.hasBegun || isRepeatable || wasRefused else {
            abort(
                context.error(
                    .connectionLost, phase: .waiting,
                    message:
                        "the connection ended without a response; the request was not sent again, because the server "
                        + "may have acted on it" + (mayHaveLostResponse ? ". \(Self.lostResponse)" : "")))
            return false
        }
        if !head.hasBegun, !wasRefused { isInDoubt = true }
        // After two streams without a response, `LoopCore.complete` sends it over HTTP/1.1. A GOAWAY doesn't mean the request.
        if sendCount > 2, !isBehindGoAway, mayFallBack {
            wantsHTTP1 = true
            return false
        }
        // The body is sent from its beginning. libcurl doesn't request that if it took some of the body but couldn't
        // send any of it.
        (sent, lastSent, headBegan, answered) = (0, 0, 0, 0)
        guard upload?.rewind() != false else {
            abort(context.error(.connectionLost, phase: .sending, message: Self.bodyIsGone))
            return false
        }
        guard !head.hasBegun else {
            // The server responded and libcurl repeats the request: only the next response counts. libcurl would
            // otherwise send the rejected expectation forever.
            if head.status.code == 417 { handle.expectNothing() }
            head = HeadCollector(limits: head.limits, buffer: head.takeBuffer())
            collect.removeAll()
            received = 0
            return true
        }
        handle.noteSentAgain()
        if options.method.hasBody, !handle.isHTTP1, CurlFeatures.reportsLastStream {
            handle.receiveMessages(streamOnly: true)
        }
        return true
    }

    /// The message for a request that can't be resent.
    static let bodyIsGone =
        "the request had to be sent again, on another connection or with a proxy's credentials, when part of its "
        + "streamed body was already gone"

    /// True if the server has announced that it doesn't process the stream of the request (RFC 9113 section 6.8).
    private var isBehindGoAway: Bool {
        guard let multi, let connection, !head.hasBegun else { return false }
        return multi.refused.contains(streamNumber, of: connection)
    }

    /// True if the server hasn't processed the request, and won't: because of a GOAWAY, or because nothing was written, on
    /// a connection that had ended.
    var isUnprocessed: Bool {
        guard needsMessages, sendCount > 0, !head.hasBegun else { return false }
        return streamNumber == 0 ? !hasWritten : isBehindGoAway
    }

    /// True if libcurl can have only one reason to send the request again: the server refused its stream, and no other
    /// request used the new connection (RFC 9113 section 8.7).
    private var wasRefusedAlone: Bool {
        guard needsMessages, let multi, let connection else { return isOnNewConnection && !needsMessages }
        return multi.refused.isAlone(streamNumber, on: connection)
    }

    /// Handles a message about the connection.
    func receive(_ message: CurlMessage) {
        guard let multi, let connection else { return }
        switch message {
        case .openedStream(let stream):
            streamNumber = stream
            multi.refused.opened(stream, on: connection)
        case .wentAway(let lastStream):
            // While libcurl chooses a connection, it also reads from others.
            if isOnConnection { multi.refused.wentAway(connection, after: lastStream) }
        case .connectionDied: isOnConnection = false
        case .excess: break
        }
    }

    /// True if the request may be resent although the server may have processed it.
    var isRepeatable: Bool { request.mayBeRepeated(by: .idempotentMethods) }

    func error(of fault: HeadCollector.Fault) -> NetError {
        let (code, message): (NetError.Code, String) =
            switch fault {
            case .tooLarge:
                (
                    .headersTooLarge,
                    "the response's header sections, trailers included, are larger than \(head.limits.bytes) bytes"
                )
            case .tooManyInterim:
                (
                    .tooManyInterimResponses,
                    "more than \(head.limits.interimResponses) interim responses arrived before the response"
                )
            case .notHTTP:
                (
                    .protocolViolation,
                    "the response doesn't begin with a status line with an HTTP version valid on this connection"
                )
            case .leadingBlank:
                (
                    .protocolViolation,
                    "the first field line of the response begins with whitespace (RFC 9112 section 2.2)"
                )
            case .noColon:
                (.protocolViolation, "a line of the response's head or trailers isn't a header field: it has no colon")
            case .blankInFraming:
                (
                    .invalidFraming,
                    "there is whitespace between the name and the colon of Content-Length, Transfer-Encoding or "
                        + "Connection (RFC 9112 section 5.1)"
                )
            case .foldInFraming:
                (
                    .invalidFraming,
                    "Content-Length, Transfer-Encoding or Connection continues on the next line of the response's "
                        + "head (RFC 9112 section 5.2)"
                )
            case .unknownCoding:
                (
                    .invalidFraming,
                    "the response's Transfer-Encoding must be chunked, exactly once: nothing else was requested (RFC "
                        + "9112 section 6.1)"
                )
            case .switchedProtocols:
                (
                    .protocolViolation,
                    "the server switched to another protocol (101), which the request didn't ask for"
                )
            case .invalidLength:
                (
                    .invalidFraming,
                    "the response's Content-Length isn't a number below 2^63, or is given twice with different values"
                )
            }
        return context.error(code, phase: head.isComplete ? .receiving : .waiting, message: message)
    }
}
#endif
