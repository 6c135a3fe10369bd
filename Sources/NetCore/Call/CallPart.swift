/// A part of the chain that a call runs through: a middleware or a transport.
public protocol CallPart: Sendable {
    /// True if the part never keeps waiting after its call has ended, for example by a timeout or by `cancelAll()`.
    ///
    /// Return true only if the part waits nowhere except in the rest of the chain, in ``CallContext/pause(for:)`` and
    /// in ``CallContext/untilEnded(_:giveUp:)``, and stops work that outlasts it, such as a body that is still
    /// arriving, with ``CallContext/onEnd(_:)``. The same applies to its identity source.
    ///
    /// Default false: the part may wait longer. A call that ends doesn't wait for it, but each call then needs an
    /// additional task.
    var endsWithCall: Bool { get }
}

extension CallPart {
    public var endsWithCall: Bool { false }
}
