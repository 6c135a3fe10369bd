extension WireSignal {
    /// Whether sessions number it: what a program says. The rest is said anew on each connection.
    package var isNumbered: Bool {
        switch self {
        case .request, .reply, .push, .event, .completed: true
        default: false
        }
    }

    /// The size of what a program says, in bytes: of its name and its payload.
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
