#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The bytes of a body: a value that is cheap to copy and safe to share.
///
/// A transport returns its own buffers as values of this type, so a body that is only decoded is never copied. A slice
/// shares the memory of the whole value; to keep a small slice of a large body, copy it into an array.
///
///     let greeting = Bytes("hello".utf8)
///     print(greeting.count, String(decoding: greeting, as: UTF8.self))
public struct Bytes: Sendable {
    package internal(set) var storage: ByteStorage
    package internal(set) var offset: Int
    /// The number of bytes.
    public internal(set) var count: Int

    package init(storage: ByteStorage, offset: Int = 0, count: Int) {
        self.storage = storage
        self.offset = offset
        self.count = count
    }

    /// Creates an empty value.
    public init() {
        self.init(storage: .empty, count: 0)
    }

    /// Creates a copy of the bytes of a collection; a value of this type isn't copied.
    public init(_ source: some Collection<UInt8>) {
        if let bytes = source as? Bytes {
            self = bytes
            return
        }
        // Copying a collection through `Collection` takes a hundred times as many instructions.
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

    /// Creates a copy of memory.
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

    /// The bytes as Foundation's `Data`. Up to 1 KiB is copied; a larger value shares the memory.
    public var data: Data {
        if count <= 1024 { return withUnsafeBytes { Data($0) } }
        let storage = storage
        return Data(
            bytesNoCopy: storage.base + offset, count: count,
            deallocator: .custom { [storage] _, _ in withExtendedLifetime(storage) {} })
    }

    /// Returns the chunks joined into one value: a single chunk as it is, several as a copy.
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
    // Not `Bytes`: algorithms rely on a slice keeping the indices of its collection, and a `Bytes` counts from zero.
    public typealias SubSequence = Slice<Bytes>

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    public subscript(position: Int) -> UInt8 {
        precondition(position >= 0 && position < count, "index out of range")
        return storage.base.load(fromByteOffset: offset + position, as: UInt8.self)
    }

    /// The bytes in a range. They share the memory and are counted from zero.
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

extension Bytes: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: UInt8...) {
        self.init(elements)
    }
}

extension Bytes: CustomStringConvertible {
    /// Only the size, since a body may contain secrets.
    public var description: String { "\(count) bytes" }
}
