import NetCore
import Testing

struct ReconnectTableTests {
    private static func text(_ table: ReconnectTable) -> [String] {
        table.entries.map { "\($0.codes.lowerBound)-\($0.codes.upperBound) \($0.action)" }
    }

    @Test func laterEntriesCutEarlierOnes() {
        var table = ReconnectTable([10...20: .stop, 15...16: .retry], others: .renewCredential)
        #expect(Self.text(table) == ["10-14 stop", "15-16 retry", "17-20 stop"])
        table.set(5...10, to: .retry)
        table.set(20...30, to: .retry)
        #expect(Self.text(table) == ["5-10 retry", "11-14 stop", "15-16 retry", "17-19 stop", "20-30 retry"])
        table.set(0...100, to: .stop)
        #expect(Self.text(table) == ["0-100 stop"])
        #expect(table[101] == .renewCredential)
        #expect(table[100] == .stop)
    }

    @Test func neighboursWithTheSameActionAreOneEntry() {
        var table = ReconnectTable()
        for code in [3, 1, 2] { table[code] = .retry }
        #expect(Self.text(table) == ["1-3 retry"])
        #expect(table == ReconnectTable([1...3: .retry]))
        table[2] = .stop
        #expect(Self.text(table) == ["1-1 retry", "2-2 stop", "3-3 retry"])
    }

    @Test func theEndsOfTheNumbersAreCodesToo() {
        var table = ReconnectTable([Int.min...Int.max: .retry])
        table[.max] = .stop
        table[.min] = .stop
        #expect(table[.max] == .stop)
        #expect(table[.min] == .stop)
        #expect(table[0] == .retry)
    }
}
