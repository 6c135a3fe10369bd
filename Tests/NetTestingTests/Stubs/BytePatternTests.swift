import NetCore
import NetTesting
import Testing

struct BytePatternTests {
    @Test func everyByteTellsItsPlace() {
        let whole = BytePattern.bytes(from: 0, count: 200_000)
        for start in [0, 1, 250, 251, 65_535, 65_536, 130_000] {
            #expect(whole[start..<(start + 1000)] == BytePattern.bytes(from: Int64(start), count: 1000))
            #expect(BytePattern.matches(whole[start..<(start + 1000)], at: Int64(start)))
        }
        #expect(!BytePattern.matches(whole[65_536..<70_000], at: 0))
        #expect(!BytePattern.matches(whole[1..<100], at: 0))
    }
}
