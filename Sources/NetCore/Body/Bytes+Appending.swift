extension Bytes {
    /// Reserves room for a total of `minimumCapacity` bytes, so that appending up to that number doesn't allocate.
    public mutating func reserveCapacity(_ minimumCapacity: Int) {
        guard !hasRoom(for: minimumCapacity - count) else { return }
        move(to: ByteStorage(capacity: Swift.max(minimumCapacity, count)))
    }

    /// Appends one byte.
    public mutating func append(_ byte: UInt8) {
        makeRoom(for: 1)
        storage.base.storeBytes(of: byte, toByteOffset: offset + count, as: UInt8.self)
        count += 1
    }

    /// Appends the bytes of a collection. Other values that share the memory stay as they are.
    ///
    ///     var line = Bytes("a=1".utf8)
    ///     line.append(contentsOf: "&b=2".utf8)
    ///     print(String(decoding: line + Bytes("&c=3".utf8), as: UTF8.self))  // a=1&b=2&c=3
    public mutating func append(contentsOf source: some Collection<UInt8>) {
        let added = source.count
        guard added > 0 else { return }
        if count == 0, let bytes = source as? Bytes {
            self = bytes
            return
        }
        makeRoom(for: added)
        let target = UnsafeMutableRawBufferPointer(start: storage.base + offset + count, count: added)
        let isCopied: Void? = source.withContiguousStorageIfAvailable {
            target.copyMemory(from: UnsafeRawBufferPointer($0))
        }
        if isCopied == nil { target.copyBytes(from: source) }
        count += added
    }

    /// Returns the bytes of both values, one after the other.
    public static func + (left: Bytes, right: Bytes) -> Bytes {
        if left.isEmpty { return right }
        if right.isEmpty { return left }
        return join([left, right], count: left.count + right.count)
    }

    /// Appends the bytes of another value.
    public static func += (left: inout Bytes, right: Bytes) { left.append(contentsOf: right) }

    /// True if `added` bytes fit behind the others in memory that no other value shares.
    private mutating func hasRoom(for added: Int) -> Bool {
        isKnownUniquelyReferenced(&storage) && storage.isOwn && storage.capacity - offset - count >= added
    }

    /// Makes room behind the bytes. Doubles the memory, so that appending a byte at a time takes linear time in total.
    private mutating func makeRoom(for added: Int) {
        guard !hasRoom(for: added) else { return }
        move(to: ByteStorage(capacity: Swift.max(count + added, 2 * count, 32)))
    }

    private mutating func move(to target: ByteStorage) {
        withUnsafeBytes { source in
            UnsafeMutableRawBufferPointer(start: target.base, count: source.count).copyMemory(from: source)
        }
        (storage, offset) = (target, 0)
    }
}
