/// A table of actions after the end of a connection, by its code: a close code of a WebSocket, or an HTTP status.
///
///     var policy = ReconnectPolicy()
///     policy.closeCodes[4408] = .retry
///     policy.closeCodes.set(4100...4199, to: .renewCredential)
///     policy.statuses[404] = .retry
public struct ReconnectTable: Sendable, Hashable {
    /// The action after the end of a connection.
    public enum Action: Sendable, Hashable {
        /// Makes another attempt after a wait.
        case retry
        /// Makes one attempt immediately, with a new credential in place of the one that was refused. Same as ``stop``
        /// if that attempt ends in the same way, or if the credential can't be renewed.
        case renewCredential
        /// Same as ``retry`` for a session that is in channels or has subscriptions, and as ``stop`` for any other.
        case retryIfNeeded
        /// Makes no other attempt.
        case stop
    }

    /// Codes with the same action.
    public struct Entry: Sendable, Hashable {
        /// The codes.
        public let codes: ClosedRange<Int>
        /// The action.
        public let action: Action
    }

    /// The action for codes without an entry.
    public var others: Action
    /// The entries, sorted by code. Their ranges don't overlap.
    public private(set) var entries: [Entry] = []

    /// Creates a table; later entries override earlier ones. Default: no entries, and no other attempt.
    public init(_ entries: KeyValuePairs<ClosedRange<Int>, Action> = [:], others: Action = .stop) {
        self.others = others
        for (codes, action) in entries { set(codes, to: action) }
    }

    /// The action for a code.
    public subscript(code: Int) -> Action {
        get { entries.first { $0.codes.contains(code) }?.action ?? others }
        set { set(code...code, to: newValue) }
    }

    /// Sets the action for a range of codes.
    public mutating func set(_ codes: ClosedRange<Int>, to action: Action) {
        var parts = [Entry(codes: codes, action: action)]
        for entry in entries {
            guard entry.codes.overlaps(codes) else {
                parts.append(entry)
                continue
            }
            let (lower, upper) = (entry.codes.lowerBound, entry.codes.upperBound)
            if lower < codes.lowerBound {
                parts.append(Entry(codes: lower...codes.lowerBound - 1, action: entry.action))
            }
            if upper > codes.upperBound {
                parts.append(Entry(codes: codes.upperBound + 1...upper, action: entry.action))
            }
        }
        entries = []
        for part in parts.sorted(by: { $0.codes.lowerBound < $1.codes.lowerBound }) {
            if let last = entries.last, last.action == part.action, last.codes.upperBound == part.codes.lowerBound - 1 {
                entries[entries.count - 1] = Entry(
                    codes: last.codes.lowerBound...part.codes.upperBound, action: part.action)
            } else {
                entries.append(part)
            }
        }
    }

    /// The default actions for close codes of WebSockets: after 1000, which some servers also send when they restart,
    /// another attempt if the session needs a connection; no other attempt after 1002, 1003, 1007, 1008, 1010, 1015 and
    /// 4000 to 4999 (except 4401), a new credential after 4401, another attempt after all others.
    public static let closeCodes = ReconnectTable(
        [
            1000...1000: .retryIfNeeded, 1002...1003: .stop, 1007...1008: .stop, 1010...1010: .stop, 1015...1015: .stop,
            4000...4999: .stop, 4401...4401: .renewCredential,
        ], others: .retry)

    /// The default actions for statuses: another attempt after 408, 425, 429 and 500 to 599, which may be temporary
    /// failures, a new credential after 401, no other attempt after all others.
    public static let statuses = ReconnectTable([
        401...401: .renewCredential, 408...408: .retry, 425...425: .retry, 429...429: .retry, 500...599: .retry,
    ])
}
