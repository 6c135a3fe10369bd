#if os(Linux)
internal import NetCore

/// A buffer for the body of a collected call, sized by the announced length. Bytes beyond `limit` are rejected or
/// dropped.
struct CollectBuffer {
    private let limit: Int
    private let dropsRest: Bool
    /// Borrowed memory of ``ResponseBuffer/bodySize`` bytes for a body that fits; ``finish()`` copies the body out of
    /// it.
    var small: UnsafeMutableRawPointer?
    private var announced = 0
    private var storage: ByteStorage?
    private var filled = 0
    private var full: [Bytes] = []
    private(set) var count = 0

    /// The maximum that is reserved for an announced length.
    private static let reserveLimit = 16 << 20
    /// The largest size of a body that is copied to separate memory, so that small bodies don't keep whole slabs alive.
    private static let smallLimit = ResponseBuffer.bodySize

    init(limit: Int, dropsRest: Bool = false) {
        // The limit may be computed; a negative limit doesn't allow any bytes either.
        self.limit = max(0, limit)
        self.dropsRest = dropsRest
    }

    /// Appends bytes; returns false if they exceed the limit and must not be dropped.
    mutating func append(_ source: UnsafeRawBufferPointer, announced: Int) -> Bool {
        var rest = source[...]
        if rest.count > limit - count {
            guard dropsRest else { return false }
            rest = rest.prefix(limit - count)
        }
        if count == 0 { self.announced = min(announced, limit) }
        if let small {
            if count + rest.count <= Self.smallLimit {
                UnsafeMutableRawBufferPointer(start: small + count, count: rest.count)
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: rest))
                count += rest.count
                return true
            }
            // The body no longer fits: the bytes received so far are moved first.
            self.small = nil
            let begun = count
            count = 0
            store(UnsafeRawBufferPointer(start: small, count: begun)[...])
        }
        store(rest)
        return true
    }

    private mutating func store(_ bytes: Slice<UnsafeRawBufferPointer>) {
        var rest = bytes
        count += rest.count
        while !rest.isEmpty {
            let target = storage ?? makeStorage()
            storage = target
            let piece = rest.prefix(target.capacity - filled)
            UnsafeMutableRawBufferPointer(start: target.base + filled, count: piece.count)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: piece))
            filled += piece.count
            rest = rest.dropFirst(piece.count)
            if filled == target.capacity, !rest.isEmpty || count != announced { seal() }
        }
    }

    /// Discards the received bytes.
    mutating func removeAll() {
        let small = small
        self = CollectBuffer(limit: limit, dropsRest: dropsRest)
        self.small = small
    }

    /// Returns the complete body.
    mutating func finish() -> Bytes {
        if count == 0 { return Bytes() }
        if let small { return Bytes(copying: UnsafeRawBufferPointer(start: small, count: count)) }
        if full.isEmpty, let storage, filled <= Self.smallLimit, storage.capacity > Self.smallLimit {
            return Bytes(copying: UnsafeRawBufferPointer(start: storage.base, count: filled))
        }
        guard full.isEmpty else {
            seal()
            return Bytes.join(full, count: count)
        }
        guard let storage else { return Bytes() }
        return Bytes(storage: storage, count: filled)
    }

    private func makeStorage() -> ByteStorage {
        if full.isEmpty, announced > 0, announced <= Self.smallLimit || announced > SlabPool.slabSize {
            return ByteStorage(capacity: min(max(announced, 1), Self.reserveLimit))
        }
        return SlabPool.take(for: full.isEmpty && announced > 0 ? announced : SlabPool.slabSize)
    }

    private mutating func seal() {
        guard let target = storage, filled > 0 else { return }
        full.append(Bytes(storage: target, count: filled))
        storage = nil
        filled = 0
    }
}
#endif
