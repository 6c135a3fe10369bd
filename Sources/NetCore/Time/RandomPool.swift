/// Random numbers from the system, fetched 32 at a time. Each one is returned once.
struct RandomPool {
    private var words = [UInt64](repeating: 0, count: 32)
    private var used = 32

    mutating func next() -> UInt64 {
        if used == words.count {
            let isFilled = words.withUnsafeMutableBytes { NetRandom.fillFromSystem($0) }
            if !isFilled {
                var generator = SystemRandomNumberGenerator()
                for index in words.indices { words[index] = generator.next() }
            }
            used = 0
        }
        defer {
            // Returned numbers don't stay in memory.
            words[used] = 0
            used += 1
        }
        return words[used]
    }
}
