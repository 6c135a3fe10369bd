/// A connection that ends prematurely: the point in the response, and the form in which the peer notices it. One of the
/// ``Fault``s.
public struct ConnectionDrop: Sendable, Hashable {
    /// The point in the response.
    public enum Point: Sendable, Hashable {
        /// Before any byte of the response.
        case beforeHead
        /// Inside the head. In memory, the same as ``beforeHead``.
        case insideHead
        /// After the head, before the body.
        case afterHead
        /// After that many body bytes; a shorter body is sent completely, and the drop replaces its end.
        case afterBodyBytes(Int64)
    }

    /// The form in which the peer sees the drop on a real connection.
    public enum Form: Sendable, Hashable {
        /// The connection is closed in an orderly way (FIN), but too early.
        case close
        /// The connection is reset (RST).
        case reset
        /// Only the HTTP/2 stream is reset; on HTTP/1.1, the same as ``reset``.
        case resetStream
        /// Nothing more is sent, and the connection stays open until the client gives up.
        case stall
    }

    /// The point of the drop.
    public var point: Point
    /// The form of the drop.
    public var form: Form

    /// Creates a drop. The default form is ``Form/close``.
    public init(_ point: Point, form: Form = .close) {
        self.point = point
        self.form = form
    }

    /// The number of body bytes sent before the drop; nil if the head isn't complete either.
    package var bodyLimit: Int64? {
        switch point {
        case .beforeHead, .insideHead: nil
        case .afterHead: 0
        case .afterBodyBytes(let count): max(0, count)
        }
    }
}

extension ConnectionDrop: CustomStringConvertible {
    /// The form and the point.
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
