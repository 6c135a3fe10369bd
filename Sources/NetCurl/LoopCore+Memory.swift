#if os(Linux)
extension LoopCore {
    /// How long nothing must run before memory goes back: work that comes in bursts finds it as it left it.
    private static let trimDelay: UInt64 = 500_000_000

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
    }
}
#endif
