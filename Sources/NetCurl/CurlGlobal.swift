#if os(Linux)
internal import CCurl
internal import Glibc

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
            Int(CURL_GLOBAL_ALL), allocate, release, reallocate, { $0.flatMap { strdup($0) } }, { calloc($0, $1) })
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
    private static let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { block in
        guard let block else { return }
        if isBuffer(block) { buffers.give(block) } else { free(block) }
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
