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

    /// For the header lines.
    @exclusivity(unchecked) var lines: [UInt8] = []
    /// For the body.
    let body: UnsafeMutableRawPointer
    private let isMapped: Bool

    /// A page of its own: after a thousand slow answers at once the allocator would keep the most of it, 3.5 KB for each
    /// connection that stays.
    init() {
        let page = mmap(nil, Self.bodySize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        if let page, page != MAP_FAILED {
            (body, isMapped) = (page, true)
        } else {
            (body, isMapped) = (.allocate(byteCount: Self.bodySize, alignment: 1), false)
        }
    }

    deinit {
        if isMapped { munmap(body, Self.bodySize) } else { body.deallocate() }
    }
}

/// Buffers on their way back to the loop.
final class ResponseBuffers: Sendable {
    /// How many are kept: so many answers come in one turn of a busy loop.
    private static let limit = 128

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
