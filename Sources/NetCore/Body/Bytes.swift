#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Bytes of a body: immutable, cheap to copy, safe to share.
///
/// A transport hands out its own buffers through this type, so a body that is only decoded is never copied. Slices share
/// the memory of the whole; keep a small slice of a large body by copying it into an array.
///
///     let greeting = Bytes("hello".utf8)
///     print(greeting.count, String(decoding: greeting, as: UTF8.self))
public struct Bytes: Sendable {
    package let storage: ByteStorage
    package let offset: Int
    /// The number of bytes.
    public let count: Int

    package init(storage: ByteStorage, offset: Int = 0, count: Int) {
        self.storage = storage
        self.offset = offset
        self.count = count
    }

    /// No bytes at all.
    public init() {
        self.init(storage: .empty, count: 0)
    }

    /// Copies the bytes of a collection.
    public init(_ source: some Collection<UInt8>) {
        // The copy of a collection that is known by its protocol alone takes a hundred times as many instructions.
        let copy = source.withContiguousStorageIfAvailable { Bytes(copying: UnsafeRawBufferPointer($0)) }
        if let copy {
            self = copy
            return
        }
        let storage = ByteStorage(capacity: source.count)
        let target = UnsafeMutableRawBufferPointer(start: storage.base, count: source.count)
        target.copyBytes(from: source)
        self.init(storage: storage, count: source.count)
    }

    /// Copies memory.
    package init(copying source: UnsafeRawBufferPointer) {
        let storage = ByteStorage(capacity: source.count)
        UnsafeMutableRawBufferPointer(start: storage.base, count: source.count).copyMemory(from: source)
        self.init(storage: storage, count: source.count)
    }

    /// Calls `body` with the bytes, which are valid only until it returns.
    public func withUnsafeBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(UnsafeRawBufferPointer(start: storage.base + offset, count: count))
    }

    /// The bytes as Foundation's `Data`; more than 1 KiB are shared, not copied.
    public var data: Data {
        if count <= 1024 { return withUnsafeBytes { Data($0) } }
        let storage = storage
        return Data(
            bytesNoCopy: storage.base + offset, count: count,
            deallocator: .custom { [storage] _, _ in withExtendedLifetime(storage) {} })
    }

    /// The bytes joined into one value: the only chunk itself where there is one, else a copy.
    package static func join(_ chunks: [Bytes], count: Int) -> Bytes {
        guard chunks.count != 1 else { return chunks[0] }
        let storage = ByteStorage(capacity: count)
        var filled = 0
        for chunk in chunks {
            chunk.withUnsafeBytes { source in
                UnsafeMutableRawBufferPointer(start: storage.base + filled, count: source.count)
                    .copyMemory(from: source)
            }
            filled += chunk.count
        }
        return Bytes(storage: storage, count: filled)
    }
}

extension Bytes: RandomAccessCollection {
    // A slice of a collection keeps the collection's indices, and algorithms rely on it; a `Bytes` counts from zero.
    public typealias SubSequence = Slice<Bytes>

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    public subscript(position: Int) -> UInt8 {
        precondition(position >= 0 && position < count, "index out of range")
        return storage.base.load(fromByteOffset: offset + position, as: UInt8.self)
    }

    /// The bytes in that range, sharing the memory and counted from zero again.
    public subscript(bounds: Range<Int>) -> Bytes {
        precondition(bounds.lowerBound >= 0 && bounds.upperBound <= count, "range out of bounds")
        return Bytes(storage: storage, offset: offset + bounds.lowerBound, count: bounds.count)
    }

    public func withContiguousStorageIfAvailable<Value>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Value
    ) rethrows -> Value? {
        try withUnsafeBytes { try body($0.assumingMemoryBound(to: UInt8.self)) }
    }
}

extension Bytes: Hashable {
    public static func == (left: Bytes, right: Bytes) -> Bool {
        left.count == right.count && left.withUnsafeBytes { a in right.withUnsafeBytes { b in a.elementsEqual(b) } }
    }

    public func hash(into hasher: inout Hasher) {
        withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension Bytes: CustomStringConvertible {
    /// The size alone: a body may hold secrets.
    public var description: String { "\(count) bytes" }
}
