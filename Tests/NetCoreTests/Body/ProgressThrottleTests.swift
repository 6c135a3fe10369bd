import Testing

@testable import NetCore

@Suite struct ProgressThrottleTests {
    @Test func theFirstIsZeroAndTheLastIsExact() {
        var throttle = ProgressThrottle(.download, attempt: 2, interval: .milliseconds(100))
        var told: [Int64] = []
        for step in 0...1000 {
            let reports = throttle.moved(to: Int64(step), of: 2000, now: .milliseconds(step))
            #expect(reports.allSatisfy { $0.attempt == 2 && $0.kind == .download && $0.total == 2000 })
            told += reports.map(\.completed)
        }
        #expect(told == [0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000])
        #expect(throttle.moved(to: 2000, of: 2000, now: .milliseconds(1001)).map(\.fraction) == [1])
        #expect(throttle.finished(2000, of: 2000).isEmpty)
    }

    @Test func aBodyThatIsThereAtOnceIsToldTwice() {
        var throttle = ProgressThrottle(.upload, attempt: 1, interval: .seconds(1))
        #expect(throttle.moved(to: 5, of: 5, now: .zero).map(\.completed) == [0, 5])
        var late = ProgressThrottle(.upload, attempt: 1, interval: .seconds(1))
        #expect(late.finished(7, of: nil).map(\.completed) == [0, 7])
        var none = ProgressThrottle(.upload, attempt: 1, interval: .seconds(1))
        #expect(none.finished(0, of: 0).map(\.completed) == [0])
    }

    @Test func aFractionNeedsATotal() {
        #expect(TransferProgress(.upload, completed: 1).fraction == nil)
        #expect(TransferProgress(.upload, completed: 0, total: 0).fraction == nil)
        #expect(TransferProgress(.upload, completed: 1, total: 4).fraction == 0.25)
        #expect(TransferProgress(.download, completed: 5, total: 4).fraction == 1)
    }
}
