#if os(Linux)
internal import CCurl
internal import Glibc
internal import Synchronization

/// libcurl's process-wide state, set up once before its first use and kept to the end.
enum CurlGlobal {
    /// CURLE_OK when libcurl is usable.
    ///
    /// libcurl makes a buffer to receive into for every transfer, and one to send from where there is TLS, and frees them at
    /// its end: they come from ``buffers``. All else is the allocator's; so is everything when the program has set libcurl
    /// up before.
    static let status: CURLcode = {
        addresses = buffers.addresses
        return curl_global_init_mem(
            Int(CURL_GLOBAL_ALL), allocate, releaseAny, reallocate, { $0.flatMap { strdup($0) } }, allocateZeroed)
    }()

    /// The size of the buffers to send from, and with one byte more of those to receive into. A larger one means fewer
    /// reads, but leaves the processor's cache before it is copied.
    static let bufferSize = 64 << 10

    /// Of each block a page or two are written to, as long as answers are small: so many for as many at once.
    static let buffers = PageRegion(blocksOf: bufferSize + 1, count: 1024, warmLimit: 512)

    private static let allocate: @convention(c) (Int) -> UnsafeMutableRawPointer? = { size in
        // Exactly those sizes: what other code of the process has from libcurl shall be of the allocator.
        if size == bufferSize + 1 || size == bufferSize, let block = buffers.take() { return block }
        return malloc(size)
    }

    /// libcurl frees 130 times for a small answer, 90 of them nothing at all: the comparison is all that this costs.
    static let releaseAny: @convention(c) (UnsafeMutableRawPointer?) -> Void = { block in
        if let block { release(block) }
    }

    /// Apart, so that nothing is saved on the stack for the 90.
    @inline(never)
    private static func release(_ block: UnsafeMutableRawPointer) {
        if isBuffer(block) { return buffers.give(block) }
        if spare.load(ordering: .relaxed) == 0, spareSizes.contains(malloc_usable_size(block)), keep(block) { return }
        free(block)
    }

    static let allocateZeroed: @convention(c) (Int, Int) -> UnsafeMutableRawPointer? = { count, size in
        let (total, isTooLarge) = count.multipliedReportingOverflow(by: size)
        guard !isTooLarge, spareSizes.contains(total),
            let block = UnsafeMutableRawPointer(bitPattern: spare.exchange(0, ordering: .acquiring))
        else { return net_calloc(count, size) }
        if malloc_usable_size(block) >= total { return memset(block, 0, total) }
        free(block)
        return net_calloc(count, size)
    }

    /// A free block, by its address. libcurl makes one of 1.5 KB for every request and mostly frees it at once, when a
    /// connection is there. glibc has none of that size at hand, and sweeps its free lists before it looks for one: 2,000
    /// instructions.
    ///
    /// Any thread: whoever exchanges the address for 0 has the block.
    private static let spare = Atomic<UInt>(0)
    private static let spareSizes = 1025...4096

    private static func keep(_ block: UnsafeMutableRawPointer) -> Bool {
        spare.compareExchange(expected: 0, desired: UInt(bitPattern: block), ordering: .releasing).exchanged
    }

    /// Where ``buffers`` lie, once they are in use. `nonisolated(unsafe)`: written before libcurl has any of them.
    nonisolated(unsafe) private static var addresses: (first: UInt, count: UInt) = (0, 0)

    private static func isBuffer(_ block: UnsafeMutableRawPointer) -> Bool {
        UInt(bitPattern: block) &- addresses.first < addresses.count
    }

    private static let reallocate: @convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer? = {
        block, size in
        guard let block, isBuffer(block) else { return realloc(block, size) }
        if size <= buffers.blockSize { return block }
        guard let larger = malloc(size) else { return nil }
        larger.copyMemory(from: block, byteCount: buffers.blockSize)
        buffers.give(block)
        return larger
    }
}
#endif
