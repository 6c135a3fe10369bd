#if Tools && Server
/// The latest messages of one room.
struct ChatLog: Sendable {
    private(set) var messages: [ChatMessage] = []
    private let maximumCount: Int
    private var last = 0
    /// The messages that are kept, by what their clients call them.
    private var indices: [String: SendMessage.Response] = [:]

    init(maximumCount: Int = 500) {
        self.maximumCount = maximumCount
    }

    /// Adds a message. Returns nil in place of one that is there already, with its reply in any case.
    mutating func append(
        _ message: SendMessage, from name: String, at time: Int
    ) -> (added: ChatMessage?, reply: SendMessage.Response) {
        if let known = indices[message.key] { return (nil, known) }
        last += 1
        let reply = SendMessage.Response(id: last, at: time)
        let added = ChatMessage(id: last, key: message.key, from: name, text: message.text, at: time)
        messages.append(added)
        indices[message.key] = reply
        if messages.count > maximumCount { indices[messages.removeFirst().key] = nil }
        return (added, reply)
    }
}
#endif
