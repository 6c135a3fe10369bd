import NetSocketCore
import Testing

/// RFC 6455 section 5.3, compared with the loop in the specification.
struct MaskTests {
    private let key: UInt32 = 0x3D21_FA37  // the bytes 37 FA 21 3D

    @Test func bytesAreMaskedAtEveryAlignmentAndPhase() {
        let source = pattern(280)
        for count in 0...200 {
            for offset in 0..<9 {
                for phase in 0..<4 {
                    var target = [UInt8](repeating: 0xEE, count: 280)
                    copyMasked(source, to: &target, offset: offset, count: count, phase: phase)
                    let expected = naive(source[offset..<(offset + count)], phase: phase)
                    let after = offset / 2 + count
                    guard Array(target[(offset / 2)..<after]) == expected,
                        target[..<(offset / 2)].allSatisfy({ $0 == 0xEE }), target[after...].allSatisfy({ $0 == 0xEE })
                    else {
                        Issue.record("\(count) bytes at \(offset) in phase \(phase)")
                        return
                    }
                }
            }
        }
    }

    @Test func bytesAreMaskedInPlaceAndTwiceIsOnce() {
        for count in 0...200 {
            for offset in 0..<5 {
                var bytes = pattern(220)
                let expected = naive(bytes[offset..<(offset + count)], phase: 3)
                inPlace(&bytes, offset: offset, count: count)
                #expect(Array(bytes[offset..<(offset + count)]) == expected)
                inPlace(&bytes, offset: offset, count: count)
                #expect(bytes == pattern(220))
            }
        }
    }

    @Test func aPayloadInPiecesIsMaskedAsAWhole() {
        let source = pattern(150)
        for cut in 0...150 {
            var target = [UInt8](repeating: 0, count: 150)
            source.withUnsafeBytes { from in
                target.withUnsafeMutableBytes { to in
                    guard let from = from.baseAddress, let to = to.baseAddress else { return }
                    mask(to, from, count: cut, key: key)
                    mask(to + cut, from + cut, count: 150 - cut, key: key, phase: cut)
                }
            }
            #expect(target == naive(source[...], phase: 0))
        }
    }

    @Test(arguments: [0, 1, 0x8000_0000, 0xFFFF_FFFE, 0x0102_0304, 0xFFFF_FFFF] as [UInt32])
    func everyKeyIsUsedAsItIs(_ key: UInt32) {
        for count in [0, 1, 3, 4, 7, 8, 9, 63, 64, 65, 130] {
            for phase in 0..<6 {
                var bytes = pattern(count)
                let expected = bytes.enumerated().map { index, byte in
                    byte ^ UInt8(truncatingIfNeeded: key >> UInt32(8 * ((index + phase) % 4)))
                }
                bytes.withUnsafeMutableBytes { bytes in
                    guard let base = bytes.baseAddress else { return }
                    mask(base, base, count: count, key: key, phase: phase)
                }
                #expect(bytes == expected)
            }
        }
    }

    private func naive(_ bytes: ArraySlice<UInt8>, phase: Int) -> [UInt8] {
        let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
        return bytes.enumerated().map { $1 ^ key[($0 + phase) % 4] }
    }

    private func copyMasked(_ source: [UInt8], to target: inout [UInt8], offset: Int, count: Int, phase: Int) {
        source.withUnsafeBytes { from in
            target.withUnsafeMutableBytes { to in
                guard let from = from.baseAddress, let to = to.baseAddress else { return }
                mask(to + offset / 2, from + offset, count: count, key: key, phase: phase)
            }
        }
    }

    private func inPlace(_ bytes: inout [UInt8], offset: Int, count: Int) {
        bytes.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            mask(base + offset, base + offset, count: count, key: key, phase: 3)
        }
    }
}
