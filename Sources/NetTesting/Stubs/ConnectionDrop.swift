/// A connection that ends too early: where, and how the peer learns of it.
public struct ConnectionDrop: Sendable, Hashable {
    /// The place in the response.
    public enum Point: Sendable, Hashable {
        /// Before any byte of the response.
        case beforeHead
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
        case .beforeHead: nil
        case .afterHead: 0
        case .afterBodyBytes(let count): max(0, count)
        }
    }
}
