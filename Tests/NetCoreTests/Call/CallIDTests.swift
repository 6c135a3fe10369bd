import Foundation
import NetTesting
import Testing

@testable import NetCore

@Suite struct CallIDTests {
    @Test func itIsAVersion7UUID() throws {
        let random = SeededRandom(seed: 15).netRandom
        for milliseconds in [0, 1, 1_784_000_000_000, (1 << 48) - 1] as [UInt64] {
            let text = CallID(milliseconds: milliseconds, random: random).description
            #expect(text.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
            #expect(UInt64(text.prefix(13).filter { $0 != "-" }, radix: 16) == milliseconds)
        }
        #expect(
            CallID(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210).description
                == "01234567-89ab-cdef-fedc-ba9876543210")
    }

    @Test func laterCallsSortAfterEarlierOnesAsValuesAndAsText() {
        let random = SeededRandom(seed: 16).netRandom
        let ids = (0..<500).map { CallID(milliseconds: UInt64($0) * 997, random: random) }
        #expect(ids == ids.sorted())
        #expect(ids.map(\.description) == ids.map(\.description).sorted())
        #expect(Set(ids).count == 500)
    }

    @Test func callsOfOneMillisecondDiffer() {
        let random = SeededRandom(seed: 17).netRandom
        #expect(Set((0..<1000).map { _ in CallID(milliseconds: 5, random: random) }).count == 1000)
    }
}

@Suite struct CallIDLimitsTests {
    private let random = NetRandom { .max }
    private let none = NetRandom { 0 }

    @Test func everyBitHasItsPlace() {
        #expect(CallID(milliseconds: 1, random: none) == CallID(high: 0x1_7000, low: 1 << 63))
        #expect(CallID(milliseconds: 0, random: random) == CallID(high: 0x7fff, low: 0xbfff_ffff_ffff_ffff))
    }

    @Test(
        arguments: [
            (-1.0, 0 as UInt64), (0, 0), (0.001, 1), (1.5, 1500), (281_474_976_710.655, (1 << 48) - 1),
            (281_474_976_711, (1 << 48) - 1), (1e30, (1 << 48) - 1),
        ] as [(Double, UInt64)])
    func datesOutOfRangeAreTheNearest(_ seconds: Double, _ milliseconds: UInt64) {
        let id = CallID(date: Date(timeIntervalSince1970: seconds), random: none)
        #expect(id.high >> 16 == milliseconds)
        #expect(id.high & 0xffff == 0x7000)
    }

    @Test func theHighWordIsComparedFirst() {
        #expect(CallID(high: 1, low: 9) < CallID(high: 2, low: 0))
        #expect(CallID(high: 1, low: 1) < CallID(high: 1, low: 2))
        #expect(!(CallID(high: 1, low: 1) < CallID(high: 1, low: 1)))
    }
}
