#if os(Linux)
internal import Glibc
internal import NetCore
internal import Synchronization

/// Memory in which the loop gathers a small collected response. The caller copies the response on its own thread.
///
/// Freeing memory that another thread has allocated takes a lock of the allocator: with four blocks per small response,
/// threads contended for it on nearly every request.
///
/// `@unchecked Sendable`: owned by the loop until the caller is resumed, then by the caller until it returns the
/// buffer.
final class ResponseBuffer: @unchecked Sendable {
    static let bodySize = 4096

    /// The memory of bodies, enough for as many concurrent responses. The number of kept buffers limits how much of it
    /// stays allocated.
    private static let bodies = PageRegion(blocksOf: bodySize, count: 1024, warmLimit: 0)

    /// The memory for header lines.
    @exclusivity(unchecked) var lines: [UInt8] = []
    /// The memory for the body.
    let body: UnsafeMutableRawPointer

    init() {
        body = Self.bodies.take() ?? .allocate(byteCount: Self.bodySize, alignment: 1)
    }

    deinit {
        if Self.bodies.contains(body) { Self.bodies.give(body) } else { body.deallocate() }
    }
}

/// Buffers that callers return to the loop.
final class ResponseBuffers: Sendable {
    /// The maximum number of kept buffers. That many responses arrive in one turn of a busy loop, and callers may still
    /// have buffers of the previous turn.
    private static let limit = 1024

    private let free = Mutex<[ResponseBuffer]>([])

    /// Returns a buffer to the loop; safe on any thread.
    func give(_ buffer: ResponseBuffer) {
        free.withLock { free in
            if free.count < Self.limit { free.append(buffer) }
        }
    }

    /// Moves all buffers to `list`, which must be empty, so that one lock serves many buffers.
    func takeAll(into list: inout [ResponseBuffer]) {
        free.withLock { swap(&$0, &list) }
    }
}
#endif
