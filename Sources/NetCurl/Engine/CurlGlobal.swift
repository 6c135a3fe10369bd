#if os(Linux)
internal import CCurl
internal import Glibc
internal import Synchronization

/// libcurl's process-wide state, initialized once before its first use and never torn down.
enum CurlGlobal {
    /// The result of the initialization; `CURLE_OK` if libcurl is usable.
    ///
    /// libcurl allocates a receive buffer for every transfer, and a send buffer with TLS, and frees them when the
    /// transfer ends; both come from ``buffers``. All other memory comes from the allocator, as does everything if the
    /// program initialized libcurl before.
    static let status: CURLcode = {
        addresses = buffers.addresses
        return curl_global_init_mem(
            Int(CURL_GLOBAL_ALL), allocate, releaseAny, reallocate, { $0.flatMap { strdup($0) } }, allocateZeroed)
    }()

    /// The size of send buffers; receive buffers have one more byte. A larger size needs fewer reads, but the data
    /// leaves the processor's cache before it's copied.
    static let bufferSize = 64 << 10
    /// The size in bytes from which a body gets a larger buffer, and the size of that buffer. It reduces the number of
    /// the loop's turns to a fourth: 1 GB takes 0.43 instead of 0.58 s of CPU.
    static let (largeUpload, largeUploadBufferSize) = (1 << 20, 256 << 10)

    /// The memory of libcurl's buffers. While responses are small, only a page or two of each block are written, so a
    /// block for each of many concurrent transfers is affordable.
    static let buffers = PageRegion(blocksOf: bufferSize + 1, count: 1024, warmLimit: 512)

    private static let allocate: @convention(c) (Int) -> UnsafeMutableRawPointer? = { size in
        // Only these exact sizes: other code of the process that allocates memory through libcurl must get it from the
        // allocator.
        if size == bufferSize + 1 || size == bufferSize, let block = buffers.take() { return block }
        return malloc(size)
    }

    /// Frees a block. libcurl calls this 130 times for a small response, 90 of them with nil, which costs only the
    /// comparison.
    static let releaseAny: @convention(c) (UnsafeMutableRawPointer?) -> Void = { block in
        if let block { release(block) }
    }

    /// A separate function, so that the 90 calls with nil don't save registers on the stack.
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

    /// The address of a free block; 0 for none. libcurl allocates a block of 1.5 KB for every request and usually frees
    /// it immediately, if a connection exists. glibc has no cached block of that size, and consolidates its free lists
    /// before it searches for one: 2,000 instructions.
    ///
    /// Safe on any thread: the thread that exchanges the address for 0 owns the block.
    private static let spare = Atomic<UInt>(0)
    private static let spareSizes = 1025...4096

    private static func keep(_ block: UnsafeMutableRawPointer) -> Bool {
        spare.compareExchange(expected: 0, desired: UInt(bitPattern: block), ordering: .releasing).exchanged
    }

    /// The address range of ``buffers``, once they're in use. `nonisolated(unsafe)`: written before libcurl gets any of
    /// them.
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
