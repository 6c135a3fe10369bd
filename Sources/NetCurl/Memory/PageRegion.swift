#if os(Linux)
internal import Glibc
internal import Synchronization

/// A pool of blocks of whole pages in one address range, reused last in, first out.
///
/// A general allocator keeps freed memory between memory in use, and returns the end of its heap to the kernel only to
/// fault it in again: a thousand concurrent responses left 5 KB per connection behind, and bodies of 64 KiB cost up to
/// eight page faults each. Here a free block is either warm, to be used next, or its pages are returned to the kernel.
///
/// Safe on any thread, without a lock: a child process that is forked while another thread uses the pool can continue.
///
/// `@unchecked Sendable`: a block belongs to the code that took it; the lists are atomic.
final class PageRegion: @unchecked Sendable {
    let blockSize: Int
    private let count: Int
    private let warmLimit: Int
    /// The start of the address range; nil if the kernel didn't provide one, and then the pool is empty.
    private let base: UnsafeMutableRawPointer?
    /// For each free block, the number of the block below it in its list, counted from 1; 0 for none.
    private let below: UnsafeMutablePointer<Atomic<UInt32>>
    private let warm = Atomic<UInt64>(0)
    private let warmCount = Atomic<Int>(0)
    private let cold = Atomic<UInt64>(0)
    private let used = Atomic<Int>(0)

    /// Reserves addresses for `count` blocks of at least `size` bytes, which use memory only after they're written to.
    /// At most `warmLimit` free blocks keep their memory.
    init(blocksOf size: Int, count: Int, warmLimit: Int) {
        let page = sysconf(CInt(_SC_PAGESIZE))
        blockSize = (size + page - 1) / page * page
        self.count = count
        self.warmLimit = warmLimit
        let pages = mmap(
            nil, blockSize * count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        base = pages == MAP_FAILED ? nil : pages
        below = .allocate(capacity: count)
        for index in 0..<count { (below + index).initialize(to: Atomic(0)) }
    }

    deinit {
        if let base { munmap(base, blockSize * count) }
        below.deinitialize(count: count)
        below.deallocate()
    }

    /// The number of free blocks that keep their memory.
    var warmBlocks: Int { warmCount.load(ordering: .relaxed) }

    /// Returns a free block; nil if all are in use.
    func take() -> UnsafeMutableRawPointer? {
        guard let base else { return nil }
        if let index = pop(warm) {
            warmCount.subtract(1, ordering: .relaxed)
            return base + index * blockSize
        }
        if let index = pop(cold) { return base + index * blockSize }
        guard used.load(ordering: .relaxed) < count else { return nil }
        let index = used.add(1, ordering: .relaxed).oldValue
        return index < count ? base + index * blockSize : nil
    }

    /// The address range of the blocks: the first address and the size in bytes, which is 0 if there are none.
    var addresses: (first: UInt, count: UInt) {
        guard let base else { return (0, 0) }
        return (UInt(bitPattern: base), UInt(blockSize * count))
    }

    /// True if the address is that of one of its blocks.
    func contains(_ block: UnsafeMutableRawPointer) -> Bool {
        UInt(bitPattern: block) &- addresses.first < addresses.count
    }

    /// Returns a block from ``take()`` to the pool.
    func give(_ block: UnsafeMutableRawPointer) {
        guard let base else { return }
        let index = (block - base) / blockSize
        if warmCount.add(1, ordering: .relaxed).newValue <= warmLimit {
            push(index, on: warm)
        } else {
            warmCount.subtract(1, ordering: .relaxed)
            cool(index, at: block)
        }
    }

    /// Returns the pages of all but `kept` warm blocks to the kernel.
    func trim(to kept: Int) {
        while let base, warmBlocks > kept, let index = pop(warm) {
            warmCount.subtract(1, ordering: .relaxed)
            cool(index, at: base + index * blockSize)
        }
    }

    private func cool(_ index: Int, at block: UnsafeMutableRawPointer) {
        madvise(block, blockSize, MADV_DONTNEED)
        push(index, on: cold)
    }

    // A list is one word: the number of changes, so that a block that was taken and returned isn't mistaken for one
    // that stayed, and the number of the block on top.

    private func push(_ index: Int, on list: borrowing Atomic<UInt64>) {
        var top = list.load(ordering: .relaxed)
        while true {
            below[index].store(UInt32(truncatingIfNeeded: top), ordering: .relaxed)
            let changed = (top >> 32 &+ 1) << 32 | UInt64(index + 1)
            let (isDone, now) = list.weakCompareExchange(
                expected: top, desired: changed, successOrdering: .releasing, failureOrdering: .relaxed)
            if isDone { return }
            top = now
        }
    }

    private func pop(_ list: borrowing Atomic<UInt64>) -> Int? {
        var top = list.load(ordering: .acquiring)
        while true {
            let index = Int(UInt32(truncatingIfNeeded: top)) - 1
            guard index >= 0 else { return nil }
            let changed = (top >> 32 &+ 1) << 32 | UInt64(below[index].load(ordering: .relaxed))
            let (isDone, now) = list.weakCompareExchange(
                expected: top, desired: changed, successOrdering: .acquiring, failureOrdering: .acquiring)
            if isDone { return index }
            top = now
        }
    }
}
#endif
