#if os(Linux)
@testable import NetCurl
import Testing

@Suite struct PriorityLineTests {
    @Test func theHighestLeavesFirstAndEqualsInTheirOrder() {
        var line = PriorityLine<Int>()
        for (element, priority) in [0, 1, 0, -1, 1, 0, -1, Int8.max, Int8.min].enumerated() {
            line.enter(element, priority: Int8(priority))
        }
        #expect(line.elements == [7, 1, 4, 0, 2, 5, 3, 6, 8])
        var left: [Int] = []
        while let element = line.leave() { left.append(element) }
        #expect(left == [7, 1, 4, 0, 2, 5, 3, 6, 8])
        #expect(line.isEmpty)
        #expect(line.leave() == nil)
        #expect(line.elements.isEmpty)
    }

    /// It always behaves like a sorted list, with equal elements in their order.
    @Test func itIsAListThatIsSorted() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            var line = PriorityLine<Int>()
            var model: [(element: Int, priority: Int8)] = []
            for element in 0..<200 {
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    let expected = model.isEmpty ? nil : model.removeFirst().element
                    #expect(line.leave() == expected)
                case 1 where !model.isEmpty:
                    let gone = model.remove(at: Int.random(in: 0..<model.count, using: &random)).element
                    let isGone = line.remove { $0 == gone }
                    #expect(isGone)
                default:
                    let priority = Int8.random(in: -1...1, using: &random)
                    line.enter(element, priority: priority)
                    model.insert(
                        (element, priority), at: model.lastIndex { $0.priority >= priority }.map { $0 + 1 } ?? 0)
                }
                #expect(line.elements == model.map(\.element))
                #expect(line.isEmpty == model.isEmpty)
            }
            let isGone = line.remove { $0 == -1 }
            #expect(!isGone)
        }
    }

    @Test func dequeuedElementsAreNotRetained() {
        final class Token {}
        var line = PriorityLine<Token>()
        var token: Token? = Token()
        weak let held = token
        if let token { line.enter(token, priority: 0) }
        line.enter(Token(), priority: 0)
        _ = line.leave()
        token = nil
        #expect(held == nil)
        #expect(!line.isEmpty)
    }
}
#endif
