#if os(Linux)
internal import CCurl
internal import HTTPTypes
internal import NetCore

// What the callbacks of libcurl bring for the head of a response, on the loop's thread.

extension Transfer {
    /// What a header line brought; false ends the transfer.
    func take(_ action: HeadCollector.Action, from handle: EasyHandle) -> Bool {
        switch action {
        case .none:
            return true
        case .interim:
            guard isSpoken(on: handle) else { return false }
            request.options.onInterimResponse?(head.head())
            return true
        case .head:
            guard isSpoken(on: handle) else { return false }
            if head.version.hasPrefix("1.") {
                if head.endsConnection {
                    handle.endConnection()
                } else if hasNoBody || head.isEmpty {
                    handle.watchRest()
                }
            }
            // libcurl asks again without the field when the server does not know it (RFC 9110 section 10.1.1), and with
            // an answer when the proxy challenges it. Where it does not, a body or the end follows.
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

    /// Whether the response is of a protocol that the connection may speak: libcurl takes `HTTP/2` in a line of text for it, and
    /// nothing that guards a connection of HTTP/1 would be done.
    private func isSpoken(on handle: EasyHandle) -> Bool {
        if !handle.isHTTP1 || head.version.hasPrefix("1.") { return true }
        abort(error(of: .notHTTP))
        return false
    }

    /// A line of the head that libcurl has not looked at yet; false ends the transfer.
    func mayGoOn(with line: UnsafeRawBufferPointer) -> Bool {
        guard let fault = head.preview(line) else { return true }
        abort(error(of: fault))
        return false
    }

    /// Why our own code ends the transfer.
    func abort(_ error: NetError) {
        abortReason = error.belonging(to: context.summary, elapsed: context.elapsed)
    }

    /// A connection is about to carry the request; false ends the transfer.
    ///
    /// libcurl sends a request again by itself when a connection that was used before ends without an answer. Whether the
    /// server acted on the first is not known, so only what may be repeated is (RFC 9110 section 9.2.2). A connection that
    /// was new is left without an answer for one reason alone, that the server refused the stream (RFC 9113 section 8.7).
    func willSend(at now: UInt64, on handle: EasyHandle) -> Bool {
        sending = now
        lastActivity = now
        sendCount += 1
        if sendCount == 1 {
            wasRefusable = madeConnection
            if madeConnection { multi?.settle(options, isForAll: true) }
            return true
        }
        guard head.hasBegun || wasRefusable || isRepeatable else {
            abort(
                context.error(
                    .connectionLost, phase: .waiting,
                    message:
                        "the connection ended without an answer; the request was not sent again, because the server may "
                        + "have acted on it"))
            return false
        }
        // Its body goes out from its beginning. libcurl does not ask for that where it took some and could send none of it.
        sent = 0
        guard upload?.rewind() != false else {
            abort(context.error(.connectionLost, phase: .sending, message: Self.bodyIsGone))
            return false
        }
        guard !head.hasBegun else {
            // The server answered, and libcurl asks once more: only the next answer counts. It would send the field that
            // the server did not know for ever.
            if head.status.code == 417 { handle.expectNothing() }
            head = HeadCollector(limits: head.limits, buffer: head.takeBuffer())
            collect.removeAll()
            received = 0
            return true
        }
        handle.noteSentAgain()
        return true
    }

    /// Why a request cannot be sent once more.
    static let bodyIsGone =
        "the request had to be sent again, on another connection or with a proxy's credentials, when a part of its streamed "
        + "body was gone"

    /// Whether it may be sent again though the server may have acted on it.
    var isRepeatable: Bool {
        let hasKey = request.head.headerFields.contains { $0.name.canonicalName == "idempotency-key" }
        return (request.options.retry ?? .idempotentMethods).allows(request.head.method, hasIdempotencyKey: hasKey)
    }

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
                    "more than \(head.limits.interimResponses) interim responses came before the response"
                )
            case .notHTTP:
                (
                    .protocolViolation,
                    "the response does not begin with a status line of a version of HTTP that the connection speaks"
                )
            case .leadingBlank:
                (
                    .protocolViolation,
                    "the first field line of the response begins with a blank (RFC 9112 section 2.2)"
                )
            case .noColon:
                (.protocolViolation, "a line of the response's head or trailers is no field: it has no colon")
            case .blankInFraming:
                (
                    .invalidFraming,
                    "a blank stands between the name and the colon of Content-Length, Transfer-Encoding or Connection (RFC "
                        + "9112 section 5.1)"
                )
            case .foldInFraming:
                (
                    .invalidFraming,
                    "Content-Length, Transfer-Encoding or Connection goes on in the next line of the response's head (RFC "
                        + "9112 section 5.2)"
                )
            case .unknownCoding:
                (
                    .invalidFraming,
                    "the response's Transfer-Encoding is not chunked, once: nothing else was asked for (RFC 9112 section "
                        + "6.1)"
                )
            case .switchedProtocols:
                (
                    .protocolViolation,
                    "the server changed to another protocol (101), which the request did not ask for"
                )
            case .invalidLength:
                (
                    .invalidFraming,
                    "the response's Content-Length is no number below 2^63, or is given twice with different values"
                )
            }
        return context.error(code, phase: head.isComplete ? .receiving : .waiting, message: message)
    }
}
#endif
