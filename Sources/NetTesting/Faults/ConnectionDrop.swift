/// A connection that ends too early: where, and how the peer learns of it. One of the ``Fault``s.
public struct ConnectionDrop: Sendable, Hashable {
    /// The place in the response.
    public enum Point: Sendable, Hashable {
        /// Before any byte of the response.
        case beforeHead
        /// In the middle of the head. In memory the same as ``beforeHead``.
        case insideHead
        /// After the head, before the body.
        case afterHead
        /// After that many body bytes; a shorter body is sent whole and the drop follows where its end would.
        case afterBodyBytes(Int64)
    }

    /// What the peer sees on a real connection.
    public enum Form: Sendable, Hashable {
        /// The connection is closed in order (FIN), but too early.
        case close
        /// The connection is reset (RST).
        case reset
        /// The HTTP/2 stream alone is reset; on HTTP/1.1 the same as ``reset``.
        case resetStream
        /// Nothing more is sent, and the connection stays open until the client gives up.
        case stall
    }

    /// Where.
    public var point: Point
    /// How.
    public var form: Form

    /// Makes a drop. The default form is ``Form/close``.
    public init(_ point: Point, form: Form = .close) {
        self.point = point
        self.form = form
    }

    /// How many body bytes go out before the drop; nil when not even the head does.
    package var bodyLimit: Int64? {
        switch point {
        case .beforeHead, .insideHead: nil
        case .afterHead: 0
        case .afterBodyBytes(let count): max(0, count)
        }
    }
}

extension ConnectionDrop: CustomStringConvertible {
    /// What happens, and where.
    public var description: String {
        let place =
            switch point {
            case .beforeHead: "before the head"
            case .insideHead: "inside the head"
            case .afterHead: "after the head"
            case .afterBodyBytes(let count): "after \(count) bytes of the body"
            }
        return "\(form == .resetStream ? "stream reset" : "\(form)") \(place)"
    }
}
