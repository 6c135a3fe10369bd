/// A part of the chain that a call runs through: a middleware or a transport.
public protocol CallPart: Sendable {
    /// True if the part never waits longer than its call lasts, however the call ends.
    ///
    /// Such a part waits only in the rest of the chain, in ``CallContext/pause(for:)`` and in
    /// ``CallContext/untilEnded(_:giveUp:)``. It ends work that continues after it returns, such as a body, in
    /// ``CallContext/onEnd(_:)``. An identity source must not wait longer either.
    ///
    /// Default false: a call that ends doesn't wait for the part, at the cost of a task for each call.
    var endsWithCall: Bool { get }
}

extension CallPart {
    public var endsWithCall: Bool { false }
}
