/// The pushes that a channel missed between its last connection and this one.
public enum MissedPushes: Sendable, Hashable {
    /// No pushes: this is the first join, or the server could recover everything.
    case nothing
    /// Some pushes, which the server could not recover.
    case some
    /// Unknown: the wire protocol doesn't report it.
    case unknown
}
