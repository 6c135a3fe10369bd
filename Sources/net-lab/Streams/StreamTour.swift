#if Tools && Server
internal import HTTPTypes
internal import NetCore
internal import NetHTTP
internal import NetTesting

/// Events that continue after a connection breaks, and a large body with its progress.
struct StreamTour {
    let client: HTTPClient
    /// The size of the body.
    let bytes: Int64
    var steps = Steps()

    /// Returns true if everything was as expected.
    func run() async throws -> Bool {
        try await followReports()
        try await readAtlas()
        return steps.isRight
    }

    private func followReports() async throws {
        steps.heading("Server-sent events; the connection breaks off in the middle of the fourth")
        let source = EventSource("reports", client: client)
        var reports: [String] = []
        for try await event in source {
            steps.saw("event \(event.lastEventID)", event.data)
            reports.append(event.data)
        }
        steps.expect("events", Broadcast.reports.joined(separator: ", "), got: reports.joined(separator: ", "))
    }

    private func readAtlas() async throws {
        steps.heading("A body of \(TerminalText.bytes(bytes)), read as it arrives")
        let response = try await client.stream("atlas")
        let length = response.head[.contentLength].flatMap { Int64($0) } ?? 0
        var (position, isSame, shownQuarters) = (Int64(0), true, Int64(0))
        for try await chunk in response.body {
            isSame = isSame && BytePattern.matches(chunk, at: position)
            position += Int64(chunk.count)
            Terminal.progress("  reading  \(TerminalText.bytes(position)) of \(TerminalText.bytes(length))")
            let quarters = length > 0 ? position * 4 / length : 0
            guard quarters > shownQuarters else { continue }
            shownQuarters = quarters
            steps.saw("\(quarters * 25) %", TerminalText.bytes(position))
        }
        steps.expect("length", "\(bytes) bytes were promised", got: "\(length) bytes were promised")
        steps.expect(
            "body", "\(bytes) bytes as they were sent",
            got: "\(position) bytes \(isSame ? "as they were sent" : "with errors")")
    }
}
#endif
