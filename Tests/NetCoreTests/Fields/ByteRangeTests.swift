import NetCore
import Testing

@Suite struct ByteRangeTests {
    @Test func rangesAreReadWhereOneIsNamed() {
        #expect(RequestedRange("bytes=0-1") == .from(0, to: 1))
        #expect(RequestedRange("Bytes= 5-") == .from(5, to: nil))
        #expect(RequestedRange("bytes=-3") == .last(3))
        let none = [
            "", "bytes", "bytes=", "bytes=-", "bytes=1", "bytes=2-1", "bytes=0-1,3-4", "items=0-1", "bytes=a-b",
            "bytes=+1-2",
            "bytes=99999999999999999999-", "bytes=0-9223372036854775807", "bytes=--1", "bytes=1-2-3",
        ]
        for text in none { #expect(RequestedRange(text) == nil, "\(text)") }
    }

    @Test func rangesAreCutToWhatThereIs() {
        #expect(RequestedRange.from(2, to: 99).resolved(total: 5) == 2..<5)
        #expect(RequestedRange.from(5, to: nil).resolved(total: 5) == nil)
        #expect(RequestedRange.last(99).resolved(total: 5) == 0..<5)
        #expect(RequestedRange.last(0).resolved(total: 5) == nil)
        #expect(RequestedRange.last(1).resolved(total: 0) == nil)
    }

    @Test func placesOfPartsAreReadWhereTheyMakeSense() {
        #expect(ContentRange("bytes 4-9/10") == ContentRange(bytes: 4..<10, total: 10))
        #expect(ContentRange("bytes 4-9/*") == ContentRange(bytes: 4..<10, total: nil))
        for text in ["bytes 4-10/10", "bytes 9-4/10", "bytes */10", "bytes 4-9", "4-9/10", "items 0-1/2", "x", ""] {
            #expect(ContentRange(text) == nil, "\(text)")
        }
    }
}
