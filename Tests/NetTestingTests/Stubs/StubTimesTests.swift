import Foundation
import HTTPTypes
import NetCore
import Testing

@testable import NetTesting

struct StubTimesTests {
    private func uses(of stub: Stub, after calls: Int) -> (answered: Int, use: StubUse?, unused: Int) {
        let table = StubTable([stub])
        let answered = (0..<calls).count { _ in
            (try? table.match(StubRequest(method: .get, target: "/a"))) != nil
        }
        return (answered, table.uses.first, table.unused.count)
    }

    private let plain = Stub(.get, "/a", .status(.ok))

    @Test func aRangeSaysHowOftenAStubMustAndMayAnswer() {
        let stub = plain.times(2...3)
        #expect([0, 1, 2, 3, 4].map { uses(of: stub, after: $0).answered } == [0, 1, 2, 3, 3])
        #expect([0, 1, 2, 3].map { uses(of: stub, after: $0).use?.isMissing } == [true, true, false, false])
        #expect([0, 1, 2, 3].map { uses(of: stub, after: $0).unused } == [1, 1, 0, 0])
        #expect([5].map { uses(of: plain.times(2...), after: $0).answered } == [5])
        #expect([1, 2].map { uses(of: plain.times(2...), after: $0).use?.isMissing } == [true, false])
        #expect([0, 2].map { uses(of: plain.times(...2), after: $0).use?.isMissing } == [false, false])
        #expect(uses(of: plain.times(...2), after: 3).answered == 2)
    }

    @Test func oneCallTooManyIsAMissThatSaysSo() {
        for (stub, problem) in [
            (plain.times(1), "it has responded 1 times, which is its limit"),
            (plain.times(0...1), "it has responded 1 times, its limit is 0 to 1 times"),
        ] {
            let table = StubTable([stub])
            _ = try? table.match(StubRequest(method: .get, target: "/a"))
            let miss = #expect(throws: StubMiss.self) { try table.match(StubRequest(method: .get, target: "/a")) }
            #expect(miss?.nearest.first?.mismatches == [problem])
        }
    }

    @Test func anOptionalStubNeedNotAnswer() throws {
        let transport = MockTransport([
            .echo(), .mirror(), .pattern(), .drip(every: .zero), plain.optional(), plain.times(3).optional(),
        ])
        try transport.verify()
        #expect(transport.unusedStubs.isEmpty)
        #expect(plain.times(3).optional().times == 3)
        transport.add(.serverSentEvents("/events", []))
        #expect(throws: UnusedStubs.self) { try transport.verify() }
    }

    @Test func missingStubUsesAreDescribedByTheExpectedCount() {
        let told = [plain, plain.times(2), plain.times(2...3), plain.times(2...)].map { stub in
            uses(of: stub, after: 1).use?.description.components(separatedBy: ") ").last ?? ""
        }
        #expect(
            told == [
                "used 1 times", "used 1 of 2 times", "used 1 of 2 to 3 times",
                "used 1 of at least 2 times",
            ])
    }
}
