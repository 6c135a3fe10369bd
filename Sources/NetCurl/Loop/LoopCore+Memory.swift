#if os(Linux)
internal import CCurl
internal import Synchronization

extension LoopCore {
    /// The idle time in nanoseconds after which memory is released. It is long enough for work in bursts to reuse the
    /// memory.
    private static let trimDelay: UInt64 = 500_000_000
    /// A number of concurrent transfers that a process is unlikely to exceed again soon.
    private static let burst = 256

    /// Returns memory for a response that has started.
    func takeBuffer() -> ResponseBuffer {
        if freeBuffers.isEmpty { loop.responseBuffers.takeAll(into: &freeBuffers) }
        return freeBuffers.popLast() ?? ResponseBuffer()
    }

    /// Schedules the release of memory if the last live transfer has ended.
    func scheduleTrim() {
        if live.isEmpty, nextTrim == .max { nextTrim = now + Self.trimDelay }
    }

    /// Releases most of the memory that is kept for future transfers. Does nothing while there are live transfers,
    /// which use it.
    func trimMemory() {
        nextTrim = .max
        guard live.isEmpty else { return }
        var returned: [ResponseBuffer] = []
        loop.responseBuffers.takeAll(into: &returned)
        freeBuffers += returned
        if freeBuffers.count > 16 { freeBuffers.removeSubrange(16...) }
        CurlGlobal.buffers.trim(to: 16)
        SlabPool.trim()
        // Small blocks of connections that stay open lie between those of finished transfers: after a thousand
        // concurrent transfers, the heap keeps 11 KB for each, which it releases only on request. It then walks all of
        // its free blocks, so only a burst is worth it.
        if mostLive > Self.burst {
            if freeHandles.count > 16 {
                loop.counters.handles.subtract(freeHandles.count - 16, ordering: .relaxed)
                freeHandles.removeSubrange(16...)
            }
            net_trim_heap()
        }
        mostLive = 0
    }
}
#endif
