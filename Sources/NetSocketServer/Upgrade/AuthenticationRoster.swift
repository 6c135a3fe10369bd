#if Server
/// The handshakes whose clients are being authenticated. Each keeps its place until its closure has returned, even if
/// its result isn't wanted any more.
///
/// | state | abandon | closure returns |
/// |---|---|---|
/// | wanted | abandoned | removed; the result counts |
/// | abandoned | – | removed; the result is dropped |
struct AuthenticationRoster: Sendable {
    struct ID: Hashable, Sendable {
        fileprivate var number: UInt64
    }

    private struct Entry: Sendable {
        var path: String
        var deadline: Duration
        var isWanted = true
    }

    private let maximumCount: Int
    private var entries: [ID: Entry] = [:]
    private var last: UInt64 = 0

    init(maximumCount: Int?) {
        self.maximumCount = max(1, maximumCount ?? .max)
    }

    /// The number of closures that haven't returned.
    var count: Int { entries.count }

    /// The number of closures that haven't returned, by the path of their handshakes.
    var paths: [String: Int] { entries.values.reduce(into: [:]) { $0[$1.path, default: 0] += 1 } }

    /// Takes a place; nil if there is none.
    mutating func enter(path: String, until deadline: Duration) -> ID? {
        guard entries.count < maximumCount else { return nil }
        last += 1
        let id = ID(number: last)
        entries[id] = Entry(path: path, deadline: deadline)
        return id
    }

    func isWanted(_ id: ID) -> Bool { entries[id]?.isWanted == true }

    /// Drops the result of a closure. Returns false if it has returned, or was abandoned before.
    mutating func abandon(_ id: ID) -> Bool {
        guard isWanted(id) else { return false }
        entries[id]?.isWanted = false
        return true
    }

    /// Frees the place of a closure that has returned.
    mutating func leave(_ id: ID) { entries[id] = nil }

    /// The handshakes that have exceeded their time limit, the oldest first.
    func overdue(at now: Duration) -> [ID] { wanted.filter { entries[$0].map { $0.deadline <= now } ?? false } }

    /// The handshakes that wait for a result, the oldest first.
    var wanted: [ID] { entries.filter(\.value.isWanted).keys.sorted { $0.number < $1.number } }
}
#endif
