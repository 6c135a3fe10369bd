#if os(Linux)
internal import CCurl

// libcurl's messages, and what follows from them: the version of HTTP with which a request is sent again.

extension EasyHandle {
    /// Makes libcurl write its messages until the end of the transfer. They cost about 7 µs per request, too much for
    /// every one, but only they mention two things: data that follows a response without a body, which libcurl drops
    /// before it reuses the connection, and the last stream that an HTTP/2 server has processed.
    ///
    /// - Parameter streamOnly: True to stop as soon as the number of the stream is known.
    func receiveMessages(streamOnly: Bool = false) {
        if receivesMessages {
            if !streamOnly { receivesStreamOnly = false }
            return
        }
        receivesMessages = true
        receivesStreamOnly = streamOnly
        net_easy_set_long(raw, CURLOPT_VERBOSE, 1)
    }

    func stopMessages() {
        guard receivesMessages else { return }
        (receivesMessages, receivesStreamOnly) = (false, false)
        net_easy_set_long(raw, CURLOPT_VERBOSE, 0)
    }

    /// Makes the next attempt use HTTP/1.1, on a separate connection that isn't kept, so that later requests use HTTP/2.
    func useHTTP1() {
        isSpent = true
        isHTTP1 = true
        net_easy_set_long(raw, CURLOPT_FRESH_CONNECT, 1)
        endConnection()
        net_easy_set_long(raw, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    }

    /// Makes the next attempt use HTTP/2 although the request would rather not: the server takes nothing else.
    func allowHTTP2() {
        isSpent = true
        isHTTP1 = false
        net_easy_set_long(raw, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    }

    /// Called when the request was sent on an HTTP/2 stream. Nobody needs to be asked whether its body is wanted, since
    /// the stream can be ended; libcurl would wait all the same.
    func openedStream() {
        if let current, current.expectTimeout > 0, !skipsExpectation {
            skipsExpectation = true
            set(expect: 0)
        }
        if receivesStreamOnly { stopMessages() }
    }
}
#endif
