import NetCore

/// The parser's result for some chunks.
struct EventStreamOutcome: Equatable {
    var events: [EventStreamCase.Event] = []
    var lastEventID = ""
    var retry: Duration?
    var error: String?

    init(_ chunks: [Bytes]) {
        var parser = ServerSentEventParser()
        do throws(NetError) {
            for chunk in chunks {
                var input = chunk
                while let event = try parser.next(from: &input) {
                    events.append(.init(type: event.event, data: event.data, lastEventId: event.lastEventID))
                }
            }
        } catch {
            self.error = error.description
        }
        lastEventID = parser.lastEventID
        retry = parser.reconnectionTime
    }
}
