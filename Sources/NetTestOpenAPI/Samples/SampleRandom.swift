#if Server
internal import NetTesting

/// Random choices that depend only on a seed and a name.
struct SampleRandom {
    private let random: SeededRandom

    /// - Parameters:
    ///   - seed: The server's seed.
    ///   - name: The purpose of the choices; each purpose has the same choices regardless of earlier requests.
    init(seed: UInt64, name: String) {
        // FNV-1a.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        random = SeededRandom(seed: seed ^ hash)
    }

    /// A number from 0 up to, but not including, `count`.
    func below(_ count: Int) -> Int {
        count <= 1 ? 0 : Int(random.next() % UInt64(count))
    }

    /// A number in a range.
    func number(_ range: ClosedRange<Int>) -> Int {
        let width = range.upperBound.subtractingReportingOverflow(range.lowerBound)
        guard !width.overflow, width.partialValue < Int.max else { return range.lowerBound }
        return range.lowerBound + below(width.partialValue + 1)
    }

    func element<Element>(of list: [Element]) -> Element? {
        list.isEmpty ? nil : list[below(list.count)]
    }

    /// The elements in random order.
    func shuffled<Element>(_ list: [Element]) -> [Element] {
        var list = list
        for place in list.indices.reversed() { list.swapAt(place, below(place + 1)) }
        return list
    }
}
#endif
