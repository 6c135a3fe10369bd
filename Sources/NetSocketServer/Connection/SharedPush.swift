#if Server
internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// A push for many connections: encoded once for each wire protocol among them.
final class SharedPush: Sendable {
    let push: WirePush
    let key: String
    let scope: ClientOutbox.Scope
    /// The user whose connections receive it; nil for any.
    let user: String?
    private let encoded = Mutex<[(wire: Int, frames: [SharedFrame])]>([])

    init(_ push: WirePush, to user: String? = nil) {
        self.push = push
        self.user = user
        key = push.key
        scope = WireSignal.push(push).scope
    }

    /// Returns the frames for connections with a wire; empty if the wire can't encode the push.
    func frames(_ wire: Int, _ head: ConnectionHead) -> [SharedFrame] {
        encoded.withLock { encoded in
            // Nearly always, there is only one wire.
            if let known = encoded.first(where: { $0.wire == wire }) { return known.frames }
            var machine = head.wire.makeMachine(.server)
            machine.agree(on: head.subprotocol)
            let frames = ((try? machine.encode(.push(push))) ?? []).map { SharedFrame($0) }
            encoded.append((wire, frames))
            return frames
        }
    }
}
#endif
