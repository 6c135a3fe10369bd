/// What a network is to a download.
enum NetworkVerdict: Sendable, Hashable {
    case isAllowed
    /// It doesn't begin. If it runs, it may go on.
    case isHeld
    /// It stops.
    case isForbidden
}
