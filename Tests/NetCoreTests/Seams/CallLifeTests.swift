import NetCore
import Testing

@Suite struct CallLifeTests {
    private let reason = CallLife.Reason(.cancelled, "all of them")

    @Test func aCallThatNobodyLooksAfterKeepsNoHandler() {
        var life = CallLife()
        let isLate = life.waits {}
        #expect(!isLate)
        let handlers = life.ended(reason)
        let place = life.finished()
        #expect(handlers.isEmpty && place == nil && life.reason == nil)
    }

    @Test func whatWaitsIsToldOnceWhenTheClientEndsTheCall() {
        var life = CallLife()
        life.began(at: 7)
        for _ in 0..<3 {
            let isLate = life.waits {}
            #expect(!isLate)
        }
        let first = life.ended(reason)
        let again = life.ended(CallLife.Reason(.shutdown, "later"))
        #expect(first.count == 3 && again.isEmpty)
        #expect(life.reason?.code == .cancelled)
        let isLate = life.waits {}
        #expect(isLate)
        let place = life.finished()
        let second = life.finished()
        #expect(place == 7 && second == nil && life.reason == nil)
    }

    @Test func aFinishedCallTellsNobody() {
        var life = CallLife()
        life.began(at: 0)
        _ = life.waits {}
        let place = life.finished()
        let handlers = life.ended(reason)
        #expect(place == 0 && handlers.isEmpty)
    }
}
