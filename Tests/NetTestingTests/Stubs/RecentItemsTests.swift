import Testing

@testable import NetTesting

struct RecentItemsTests {
    @Test func theNewestAreKeptInTheirOrder() {
        for count in 0..<12 {
            var recent = RecentItems<Int>(limit: 4)
            for item in 0..<count { recent.append(item) }
            #expect(recent.items == Array(max(0, count - 4)..<count))
            #expect(recent.count == min(count, 4))
            #expect(recent.forgotten == max(0, count - 4))
            #expect((0..<recent.count).map { recent[$0] } == recent.items)
        }
    }

    @Test func anItemCanBeChangedInItsPlace() {
        var recent = RecentItems<Int>(limit: 3)
        for item in 0..<5 { recent.append(item) }
        recent[0] = 20
        recent[2] = 40
        #expect(recent.items == [20, 3, 40])
    }

    @Test func emptiedItBeginsAnew() {
        var recent = RecentItems<Int>(limit: 3)
        for item in 0..<5 { recent.append(item) }
        recent.removeAll()
        #expect(recent.items.isEmpty)
        #expect(recent.forgotten == 0)
        for item in 5..<7 { recent.append(item) }
        #expect(recent.items == [5, 6])
    }

    @Test func aLimitOfZeroKeepsNothing() {
        var recent = RecentItems<Int>(limit: 0)
        let isKept = recent.append(1)
        #expect(!isKept)
        #expect(recent.items.isEmpty)
        #expect(recent.forgotten == 0)
    }
}
