#if os(Linux)
internal import Glibc
internal import NetCore
internal import Synchronization

/// Where the loop gathers a small collected response, which the caller copies out on its own thread.
///
/// Memory that one thread allocates and another frees goes back by way of a lock of the allocator's: with four pieces in each
/// small response, threads met there for nearly every request.
///
/// `@unchecked Sendable`: the loop has it until the caller is resumed, the caller until it gives it back.
final class ResponseBuffer: @unchecked Sendable {
    static let bodySize = 4096

    /// As many bodies as answers come at once. The buffers that are kept bound what memory they have.
    private static let bodies = PageRegion(blocksOf: bodySize, count: 1024, warmLimit: 0)

    /// For the header lines.
    @exclusivity(unchecked) var lines: [UInt8] = []
    /// For the body.
    let body: UnsafeMutableRawPointer

    init() {
        body = Self.bodies.take() ?? .allocate(byteCount: Self.bodySize, alignment: 1)
    }

    deinit {
        if Self.bodies.contains(body) { Self.bodies.give(body) } else { body.deallocate() }
    }
}

/// Buffers on their way back to the loop.
final class ResponseBuffers: Sendable {
    /// How many are kept: so many answers come in one turn of a busy loop, and a caller may have one from the turn before.
    private static let limit = 1024

    private let free = Mutex<[ResponseBuffer]>([])

    /// Any thread.
    func give(_ buffer: ResponseBuffer) {
        free.withLock { free in
            if free.count < Self.limit { free.append(buffer) }
        }
    }

    /// All of them at once, into a list that is empty: one lock for many.
    func takeAll(into list: inout [ResponseBuffer]) {
        free.withLock { swap(&$0, &list) }
    }
}
#endif
