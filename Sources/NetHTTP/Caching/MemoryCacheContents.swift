internal import NetCore

/// The content of a memory store: entries by key, and keys in the order of their use.
struct MemoryCacheContents {
    private struct Stored {
        var entry: CacheEntry
        let body: Bytes

        var bytes: Int64 { entry.headLength + Int64(body.count) }
    }

    /// A key's node in a linked list. Its neighbors are indexes of nodes; 0 is both ends of the list.
    private struct Node {
        var key: CacheKey?
        var stored: [Stored] = []
        var older = 0
        var newer = 0
    }

    let maximumBytes: Int64
    private(set) var bytes: Int64 = 0
    private(set) var count = 0
    private var places: [CacheKey: Int] = [:]
    /// The first node has no key: its `newer` is the oldest node, its `older` the newest.
    private var nodes = [Node()]
    private var free: [Int] = []

    init(maximumBytes: Int64) { self.maximumBytes = maximumBytes }

    mutating func entries(for key: CacheKey) -> [CacheEntry] {
        guard let place = places[key] else { return [] }
        touch(place)
        return nodes[place].stored.map(\.entry)
    }

    func body(of entry: CacheEntry) -> Bytes? {
        guard let place = places[entry.key] else { return nil }
        return nodes[place].stored.first { $0.entry.id == entry.id }?.body
    }

    mutating func insert(_ entry: CacheEntry, _ body: Bytes, replacing isReplaced: (CacheEntry) -> Bool) {
        remove(entry.key, where: isReplaced)
        let new = Stored(entry: entry, body: body)
        guard new.bytes <= maximumBytes else { return }
        while bytes + new.bytes > maximumBytes, nodes[0].newer != 0 { removeAll(at: nodes[0].newer) }
        let place = place(of: entry.key)
        nodes[place].stored.append(new)
        bytes += new.bytes
        count += 1
        if nodes[place].stored.count > CacheMiddleware.maximumVariants {
            let oldest = nodes[place].stored[0].entry.id
            remove(entry.key) { $0.id == oldest }
        }
    }

    mutating func update(_ entry: CacheEntry) {
        guard let place = places[entry.key],
            let index = nodes[place].stored.firstIndex(where: { $0.entry.id == entry.id })
        else { return }
        bytes -= nodes[place].stored[index].bytes
        nodes[place].stored[index].entry = entry
        bytes += nodes[place].stored[index].bytes
        while bytes > maximumBytes, nodes[0].newer != 0 { removeAll(at: nodes[0].newer) }
    }

    mutating func remove(_ key: CacheKey, where isMeant: (CacheEntry) -> Bool) {
        guard let place = places[key] else { return }
        nodes[place].stored.removeAll { stored in
            guard isMeant(stored.entry) else { return false }
            bytes -= stored.bytes
            count -= 1
            return true
        }
        if nodes[place].stored.isEmpty { removeAll(at: place) }
    }

    mutating func removeAll(where isMeant: (CacheEntry) -> Bool) {
        for key in Array(places.keys) { remove(key, where: isMeant) }
    }

    /// Returns the key's node, which is now the newest; creates one if it has none.
    private mutating func place(of key: CacheKey) -> Int {
        if let place = places[key] {
            touch(place)
            return place
        }
        let place = free.popLast() ?? nodes.count
        if place == nodes.count { nodes.append(Node()) }
        nodes[place] = Node(key: key)
        places[key] = place
        link(place)
        return place
    }

    private mutating func removeAll(at place: Int) {
        for stored in nodes[place].stored {
            bytes -= stored.bytes
            count -= 1
        }
        if let key = nodes[place].key { places[key] = nil }
        unlink(place)
        nodes[place] = Node()
        free.append(place)
    }

    private mutating func touch(_ place: Int) {
        guard nodes[0].older != place else { return }
        unlink(place)
        link(place)
    }

    private mutating func link(_ place: Int) {
        let newest = nodes[0].older
        nodes[place].older = newest
        nodes[place].newer = 0
        nodes[newest].newer = place
        nodes[0].older = place
    }

    private mutating func unlink(_ place: Int) {
        let (older, newer) = (nodes[place].older, nodes[place].newer)
        nodes[older].newer = newer
        nodes[newer].older = older
    }
}
