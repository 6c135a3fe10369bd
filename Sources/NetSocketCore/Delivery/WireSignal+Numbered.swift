extension WireSignal {
    /// True if sessions number the signal: requests, replies, pushes, events and completions. Other signals are sent
    /// anew on each connection.
    package var isNumbered: Bool {
        switch self {
        case .request, .reply, .push, .event, .completed: true
        default: false
        }
    }

    /// The size of the signal's name and payload, in bytes.
    package var size: Int {
        switch self {
        case .request(let request): request.event.utf8.count + (request.payload?.count ?? 0)
        case .push(let push): push.event.utf8.count + (push.payload?.count ?? 0)
        case .reply(let reply):
            switch reply.outcome {
            case .success(let payload): payload?.count ?? 0
            case .failure(let failure): failure.message.utf8.count
            }
        case .event(_, let payload): payload.count
        default: 0
        }
    }
}
