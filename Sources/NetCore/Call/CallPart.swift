/// A part of the chain that a call runs through: a middleware or a transport.
public protocol CallPart: Sendable {
    /// True if the part never waits past the end of its call, however the call ends: it waits only in the rest of the
    /// chain, in ``CallContext/pause(for:)`` and in ``CallContext/untilEnded(_:giveUp:)``, and ends what it leaves behind,
    /// such as a body, in ``CallContext/onEnd(_:)``. An identity source must not wait longer either.
    ///
    /// Default false: a call that ends leaves the part behind, at the price of a task for each call.
    var endsWithCall: Bool { get }
}

extension CallPart {
    public var endsWithCall: Bool { false }
}
