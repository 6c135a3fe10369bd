/// What a channel has missed between its last connection and this one.
public enum MissedPushes: Sendable, Hashable {
    /// Nothing: it is the first join, or the server could recover everything.
    case nothing
    /// Some pushes are lost; the server could not recover them.
    case some
    /// The wire protocol can't tell.
    case unknown
}
