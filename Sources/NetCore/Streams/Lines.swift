extension ResponseBody {
    /// The lines of the body as they arrive, without their line breaks: LF, CR or CRLF. The last line need not be
    /// terminated.
    ///
    /// A line that isn't valid in the charset is read as UTF-8, in which invalid bytes become U+FFFD. A UTF-8 byte
    /// order mark isn't part of the first line. Iterate the sequence once.
    ///
    ///     for try await line in body.lines() { print(line) }
    ///
    /// - Parameters:
    ///   - maximumLineBytes: The maximum size of a line; a longer line throws `.bodyTooLarge`. Default 16 MiB.
    ///   - charset: The charset of the text. Default UTF-8. UTF-16 and UTF-32, whose line breaks aren't single bytes,
    ///     throw `.unsupported` when the first line is requested.
    public func lines(maximumLineBytes: Int = 16 << 20, charset: Charset = .utf8) -> Lines {
        Lines(body: self, maximumLineBytes: maximumLineBytes, charset: charset)
    }

    /// The lines of a body. Throws ``NetError``; cancelling the task or dropping the sequence ends the transfer.
    public struct Lines: AsyncSequence, Sendable {
        public typealias Element = String
        public typealias Failure = NetError

        let body: ResponseBody
        let maximumLineBytes: Int
        let charset: Charset

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(
                body: body, charset: charset, chunks: body.makeAsyncIterator(),
                parser: LineParser(maximumLineBytes: maximumLineBytes))
        }

        /// An iterator over the lines.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let body: ResponseBody
            let charset: Charset
            var chunks: ResponseBody.AsyncIterator
            var parser: LineParser
            var input = Bytes()
            var isDone = false
            var isFirst = true

            public mutating func next() async throws(NetError) -> String? {
                try await next(isolation: nil)
            }

            public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetError) -> String? {
                do throws(NetError) {
                    if case .wide = charset.kind { throw unsupported }
                    while !isDone {
                        if let line = try parser.next(from: &input) { return text(unmarked(line)) }
                        if let chunk = try await chunks.next(isolation: actor) {
                            input = chunk
                        } else {
                            isDone = true
                        }
                    }
                } catch {
                    isDone = true
                    _ = parser.finish()
                    throw body.fail(error)
                }
                guard let last = parser.finish() else { return nil }
                let line = unmarked(last)
                // A byte order mark without any text isn't a line.
                return line.isEmpty ? nil : text(line)
            }

            private mutating func unmarked(_ line: Bytes) -> Bytes {
                defer { isFirst = false }
                guard isFirst, charset == .utf8, line.starts(with: [0xef, 0xbb, 0xbf]) else { return line }
                return line[3..<line.count]
            }

            private func text(_ line: Bytes) -> String {
                if charset == .utf8 { return String(decoding: line, as: UTF8.self) }
                return charset.decode(line) ?? String(decoding: line, as: UTF8.self)
            }

            private var unsupported: NetError {
                NetError(
                    .unsupported, phase: .decoding,
                    message:
                        "the lines of a body in \(charset.name) can't be split while it arrives; collect the body "
                        + "instead"
                )
            }
        }
    }
}

extension ResponseSerializer where Value == ResponseBody.Lines {
    /// The lines of a text as they arrive, in the charset of `Content-Type`, or in UTF-8 if it names none.
    ///
    ///     let request = Request("log", serializer: .lines)
    ///     for try await line in try await client.send(request) { print(line) }
    public static var lines: ResponseSerializer { lines() }

    /// Creates a serializer for the lines of a text.
    ///
    /// - Parameters:
    ///   - maximumLineBytes: The maximum size of a line; a longer line throws `.bodyTooLarge`. Default 16 MiB.
    ///   - charset: The charset, whatever the response declares. Default nil: the one in `Content-Type`, or UTF-8 if it
    ///     names none; an unknown one throws `.decoding`.
    public static func lines(maximumLineBytes: Int = 16 << 20, charset: Charset? = nil) -> ResponseSerializer {
        .streamed(accept: "text/plain, */*;q=0.1") { head, body, _ in
            var chosen = charset ?? .utf8
            if charset == nil, let name = head.receivedCharset {
                guard let named = Charset(name: name) else { throw UnreadableText.unknownCharset(name) }
                chosen = named
            }
            return body.lines(maximumLineBytes: maximumLineBytes, charset: chosen)
        }
    }
}
