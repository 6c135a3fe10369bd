/// The consequence of a network status for a download.
enum NetworkVerdict: Sendable, Hashable {
    case isAllowed
    /// The download doesn't start, but a running one may continue.
    case isHeld
    /// The download stops.
    case isForbidden
}
