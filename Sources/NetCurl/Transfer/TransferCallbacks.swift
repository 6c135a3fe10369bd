#if os(Linux)
internal import CCurl
internal import HTTPTypes
internal import NetCore

// Functions that libcurl calls on the loop's thread. The context is the easy handle, set once; it knows its current
// transfer. Nothing here retains or releases: with ten header lines in a response that was 5% of this library's share
// of its cost.

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
            // The buffer isn't taken earlier, so that only a few of many waiting calls have memory, and the memory they
            // get was used recently.
            if transfer.buffer == nil, transfer.stream == nil, let core = transfer.core {
                transfer.lend(core.takeBuffer())
            }
            let action = transfer.head.receive(UnsafeRawBufferPointer(start: line, count: count))
            if action == .none {
                if transfer.headBegan == 0 { transfer.headBegan = handle.now.pointee }
                if handle.isPreviewing, transfer.head.hasField { handle.previewHead(false) }
                return count
            }
            return transfer.take(action, from: handle) ? count : 0
        }
    }
}

/// Called when libcurl has created a socket for a transfer and is about to connect it.
func prepareSocket(_ context: UnsafeMutableRawPointer?, _ descriptor: curl_socket_t, _: curlsocktype) -> CInt {
    withHandle(context, otherwise: Int32(CURL_SOCKOPT_OK)) { handle in
        handle.withTransfer(otherwise: Int32(CURL_SOCKOPT_OK)) { transfer in
            transfer.madeConnection = true
            transfer.core?.origins[descriptor] = transfer.request.origin
            if transfer.multi?.kind == .streamed { transfer.window.prepare(descriptor) }
            return Int32(CURL_SOCKOPT_OK)
        }
    }
}

/// Called when libcurl starts to resolve a name.
func prepareResolving(
    _: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?
) -> CInt {
    withHandle(context, otherwise: ()) { handle in handle.withTransfer(otherwise: ()) { $0.isResolving = true } }
    return 0
}

/// Called when a connection is established and the request is about to be sent on it.
func prepareRequest(
    _ context: UnsafeMutableRawPointer?, _ address: UnsafeMutablePointer<CChar>?, _: UnsafeMutablePointer<CChar>?,
    _ port: CInt, _ localPort: CInt
) -> CInt {
    withHandle(context, otherwise: Int32(CURL_PREREQFUNC_OK)) { handle in
        handle.withTransfer(otherwise: Int32(CURL_PREREQFUNC_OK)) { transfer in
            handle.previewHead(true)
            // It looks at the connection before.
            let maySend = transfer.willSend(at: handle.now.pointee, on: handle)
            transfer.localPort = localPort
            (transfer.streamNumber, transfer.isOnConnection, transfer.hasWritten) = (0, true, false)
            if !handle.isHTTP1, CurlFeatures.reportsLastStream, localPort > 0, let address {
                transfer.connection = RefusedStreams.Connection(
                    address: String(cString: address), port: port, localPort: localPort)
            }
            return maySend ? Int32(CURL_PREREQFUNC_OK) : Int32(CURL_PREREQFUNC_ABORT)
        }
    }
}

func receiveBody(
    _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    withHandle(context, otherwise: 0) { handle in
        handle.withTransfer(otherwise: 0) { transfer in
            let bytes = UnsafeRawBufferPointer(start: data, count: count)
            // A header line, see `CurlFeatures.foldsIntoFreedFields`; it's passed to `receiveField` as well.
            if !transfer.head.isComplete { return transfer.mayGoOn(with: bytes) ? count : 0 }
            return transfer.takeBody(bytes, from: handle)
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
            case .sent(let sent):
                // This also ends an HTTP/2 stream that the server ended first. libcurl 7.88 reports that only after its
                // next read, but nothing more arrives.
                if transfer.head.isComplete, upload.hasSentAll { transfer.core?.heldOver.append(transfer) }
                return sent
            case .wait: return net_read_pause
            case .failed(let error):
                transfer.abort(error)
                return net_read_abort
            }
        }
    }
}

/// Called when libcurl is about to resend the request. `prepareRequest` decides whether it may, and restarts the body.
func seekBody(_ context: UnsafeMutableRawPointer?, _ offset: curl_off_t, _: CInt) -> CInt {
    withHandle(context, otherwise: Int32(CURL_SEEKFUNC_CANTSEEK)) { handle in
        handle.withTransfer(otherwise: Int32(CURL_SEEKFUNC_CANTSEEK)) { transfer in
            offset == 0 && transfer.hasWholeBody ? Int32(CURL_SEEKFUNC_OK) : Int32(CURL_SEEKFUNC_CANTSEEK)
        }
    }
}

/// Called after the end of the body to get the trailers; libcurl frees the list.
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

/// Called with libcurl's messages; see ``EasyHandle/receiveMessages(streamOnly:)``.
func receiveMessage(
    _: UnsafeMutableRawPointer?, _ kind: curl_infotype, _ text: UnsafeMutablePointer<CChar>?, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> CInt {
    if kind == CURLINFO_HEADER_OUT || kind == CURLINFO_DATA_OUT {
        withHandle(context, otherwise: ()) { handle in
            handle.withTransfer(otherwise: ()) { transfer in
                transfer.hasWritten = true
                guard kind == CURLINFO_HEADER_OUT else { return }
                let bytes = UnsafeRawBufferPointer(start: text, count: count)
                if CurlMessage.isHTTP1(bytes) { transfer.core?.wroteHTTP1(transfer, handle) }
            }
        }
        return 0
    }
    guard kind == CURLINFO_TEXT, let message = CurlMessage(UnsafeRawBufferPointer(start: text, count: count)) else {
        return 0
    }
    withHandle(context, otherwise: ()) { handle in
        if message == .excess { handle.endConnection() }
        handle.withTransfer(otherwise: ()) { $0.receive(message) }
        if case .openedStream = message { handle.openedStream() }
    }
    return 0
}
#endif
