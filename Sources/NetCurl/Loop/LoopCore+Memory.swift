#if os(Linux)
internal import CCurl
internal import Synchronization

extension LoopCore {
    /// How long nothing must run before memory goes back: work that comes in bursts finds it as it left it.
    private static let trimDelay: UInt64 = 500_000_000
    /// More transfers at the same time than a process is likely to have again soon.
    private static let burst = 256

    /// Memory for a response that has begun.
    func takeBuffer() -> ResponseBuffer {
        if freeBuffers.isEmpty { loop.responseBuffers.takeAll(into: &freeBuffers) }
        return freeBuffers.popLast() ?? ResponseBuffer()
    }

    /// A transfer has ended.
    func scheduleTrim() {
        if live.isEmpty, nextTrim == .max { nextTrim = now + Self.trimDelay }
    }

    /// Gives the memory of what is kept for the next transfers back, but for a few; not while there are any, which use it.
    func trimMemory() {
        nextTrim = .max
        guard live.isEmpty else { return }
        var returned: [ResponseBuffer] = []
        loop.responseBuffers.takeAll(into: &returned)
        freeBuffers += returned
        if freeBuffers.count > 16 { freeBuffers.removeSubrange(16...) }
        CurlGlobal.buffers.trim(to: 16)
        SlabPool.trim()
        // Small blocks of connections that live on lie between those of transfers that do not: after a thousand at once the
        // heap keeps 11 KB for each that it gives back only when asked. It looks at all its free blocks then, so that a burst
        // alone is worth it.
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
