#if os(Linux)
internal import CCurl
internal import HTTPTypes
internal import NetCore

// What libcurl calls on the loop's thread. The context is the easy handle, set once; it knows the transfer it carries.
// Nothing here retains or releases: with ten header lines in a response that was a twentieth of our share of its cost.

private func withHandle<Value>(
    _ context: UnsafeMutableRawPointer?, otherwise: Value, _ body: (EasyHandle) -> Value
) -> Value {
    guard let context else { return otherwise }
    return Unmanaged<EasyHandle>.fromOpaque(context)._withUnsafeGuaranteedRef(body)
}

func receiveField(
    _ line: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    withHandle(context, otherwise: 0) { handle in
        handle.withTransfer(otherwise: 0) { transfer in
            transfer.lastActivity = handle.now.pointee
            // Not before: of many calls that wait few have memory, and what they get was touched a moment ago.
            if transfer.buffer == nil, transfer.stream == nil, let core = transfer.core {
                transfer.lend(core.takeBuffer())
            }
            let action = transfer.head.receive(UnsafeRawBufferPointer(start: line, count: count))
            if action == .none {
                if handle.isPreviewing, transfer.head.hasField { handle.previewHead(false) }
                return count
            }
            return transfer.take(action) ? count : 0
        }
    }
}

/// libcurl made a socket for a transfer and will connect it.
func prepareSocket(_ context: UnsafeMutableRawPointer?, _ descriptor: curl_socket_t, _: curlsocktype) -> CInt {
    withHandle(context, otherwise: Int32(CURL_SOCKOPT_OK)) { handle in
        handle.withTransfer(otherwise: Int32(CURL_SOCKOPT_OK)) { transfer in
            transfer.madeConnection = true
            if transfer.multi?.kind == .streamed { transfer.window.prepare(descriptor) }
            return Int32(CURL_SOCKOPT_OK)
        }
    }
}

/// libcurl begins to look a name up.
func prepareResolving(
    _: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?
) -> CInt {
    withHandle(context, otherwise: ()) { handle in handle.withTransfer(otherwise: ()) { $0.isResolving = true } }
    return 0
}

/// A connection stands and is about to carry the request.
func prepareRequest(
    _ context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<CChar>?, _: UnsafeMutablePointer<CChar>?, _: CInt,
    _ localPort: CInt
) -> CInt {
    withHandle(context, otherwise: Int32(CURL_PREREQFUNC_OK)) { handle in
        handle.withTransfer(otherwise: Int32(CURL_PREREQFUNC_OK)) { transfer in
            transfer.localPort = localPort
            handle.previewHead(true)
            return transfer.willSend(at: handle.now.pointee, on: handle)
                ? Int32(CURL_PREREQFUNC_OK) : Int32(CURL_PREREQFUNC_ABORT)
        }
    }
}

func receiveBody(
    _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    withHandle(context, otherwise: 0) { handle in
        handle.withTransfer(otherwise: 0) { transfer in
            let bytes = UnsafeRawBufferPointer(start: data, count: count)
            // A line of the head, see `CurlFeatures.foldsIntoFreedFields`; it comes to `receiveField` as well.
            if !transfer.head.isComplete { return transfer.mayGoOn(with: bytes) ? count : 0 }
            transfer.lastActivity = handle.now.pointee
            return transfer.take(bytes, from: handle)
        }
    }
}

func sendBody(
    _ target: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    withHandle(context, otherwise: net_read_abort) { handle in
        handle.withTransfer(otherwise: net_read_abort) { transfer in
            guard let upload = transfer.upload else { return net_read_abort }
            transfer.lastActivity = handle.now.pointee
            switch upload.fill(UnsafeMutableRawBufferPointer(start: target, count: size * count)) {
            case .sent(let sent): return sent
            case .wait: return net_read_pause
            case .failed(let error):
                transfer.abort(error)
                return net_read_abort
            }
        }
    }
}

/// libcurl will send the request once more, which `prepareRequest` decides on; that begins the body anew as well.
func seekBody(_ context: UnsafeMutableRawPointer?, _ offset: curl_off_t, _: CInt) -> CInt {
    withHandle(context, otherwise: Int32(CURL_SEEKFUNC_CANTSEEK)) { handle in
        handle.withTransfer(otherwise: Int32(CURL_SEEKFUNC_CANTSEEK)) { transfer in
            offset == 0 && transfer.hasWholeBody ? Int32(CURL_SEEKFUNC_OK) : Int32(CURL_SEEKFUNC_CANTSEEK)
        }
    }
}

/// The body has ended; libcurl frees the list.
func sendTrailers(
    _ list: UnsafeMutablePointer<UnsafeMutablePointer<curl_slist>?>, _ context: UnsafeMutableRawPointer?
) -> CInt {
    withHandle(context, otherwise: Int32(CURL_TRAILERFUNC_ABORT)) { handle in
        handle.withTransfer(otherwise: Int32(CURL_TRAILERFUNC_ABORT)) { transfer in
            for field in transfer.upload?.trailers ?? [:] {
                guard let longer = curl_slist_append(list.pointee, "\(field.name.rawName): \(field.value)") else {
                    return Int32(CURL_TRAILERFUNC_ABORT)
                }
                list.pointee = longer
            }
            return Int32(CURL_TRAILERFUNC_OK)
        }
    }
}

extension Transfer {
    /// What a header line brought; false ends the transfer.
    fileprivate func take(_ action: HeadCollector.Action) -> Bool {
        switch action {
        case .none:
            return true
        case .interim:
            request.options.onInterimResponse?(head.head())
            return true
        case .head:
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

    /// A line of the head that libcurl has not looked at yet; false ends the transfer.
    fileprivate func mayGoOn(with line: UnsafeRawBufferPointer) -> Bool {
        guard let fault = head.preview(line) else { return true }
        abort(error(of: fault))
        return false
    }

    /// Bytes of the body; how many were taken, or the number that pauses the transfer.
    fileprivate func take(_ bytes: UnsafeRawBufferPointer, from handle: EasyHandle) -> Int {
        if let stream {
            guard stream.append(bytes) == .taken else {
                isReceivePaused = true
                core?.hold(self)
                return net_write_pause
            }
            received += Int64(bytes.count)
            window.advance(descriptor, received: received)
            core?.markDirty(self)
            return bytes.count
        }
        received += Int64(bytes.count)
        let announced =
            collect.count == 0
            ? Int(clamping: net_easy_get_offset(handle.raw, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)) : 0
        if collect.append(bytes, announced: announced) { return bytes.count }
        abort(ResponseBody.tooLarge(request.options.maximumResponseBytes))
        return 0
    }

    /// Why our own code ends the transfer.
    fileprivate func abort(_ error: NetError) {
        abortReason = error.filling(call: context.summary, elapsed: context.elapsed)
    }

    /// A connection is about to carry the request; false ends the transfer.
    ///
    /// libcurl sends a request again by itself when a connection that was used before ends without an answer. Whether the
    /// server acted on the first is not known, so only what may be repeated is (RFC 9110 section 9.2.2). A connection that
    /// was new is left without an answer for one reason alone, that the server refused the stream (RFC 9113 section 8.7).
    fileprivate func willSend(at now: UInt64, on handle: EasyHandle) -> Bool {
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

    private func error(of fault: HeadCollector.Fault) -> NetError {
        let (code, message): (NetError.Code, String) =
            switch fault {
            case .tooLarge:
                (.headersTooLarge, "the response's header sections are larger than \(head.limits.bytes) bytes")
            case .tooManyInterim:
                (
                    .tooManyInterimResponses,
                    "more than \(head.limits.interimResponses) interim responses came before the response"
                )
            case .notHTTP:
                (.protocolViolation, "the response does not begin with an HTTP status line")
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
                    "a blank stands between the name and the colon of Content-Length or Transfer-Encoding (RFC 9112 "
                        + "section 5.1)"
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
        return context.error(code, phase: .waiting, message: message)
    }
}
#endif
