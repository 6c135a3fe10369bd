import NetCore
import NetSocketCore
import Testing

/// Text is strict UTF-8 (RFC 6455 section 8.1, RFC 3629), for all fragmentations.
struct UTF8Tests {
    private static let valid: [[UInt8]] = [
        [], [0x00], [0x7F], [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xEC, 0xBF, 0xBF], [0xED, 0x80, 0x80],
        [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80], [0xEF, 0xBF, 0xBD], [0xEF, 0xBF, 0xBE], [0xEF, 0xBF, 0xBF],
        [0xEF, 0xB7, 0x90], [0xF0, 0x90, 0x80, 0x80], [0xF1, 0x80, 0x80, 0x80], [0xF3, 0xBF, 0xBF, 0xBF],
        [0xF4, 0x80, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF], Array("κόσμε".utf8), Array("a\u{0}b".utf8),
        Array("Hello-µ@ßöäüàá-UTF-8!!".utf8), Array("日本語 👩‍👩‍👧 \u{FEFF}".utf8),
        Array(String(repeating: "0123456789abcdef", count: 9).utf8) + [0xC3, 0xA4],
    ]

    /// Based on Markus Kuhn's decoder test: lone continuations, impossible bytes, truncated, overlong, surrogates, out
    /// of range.
    private static let invalid: [[UInt8]] = [
        [0x80], [0xBF], [0x80, 0xBF, 0x80], [0xC0], [0xC1], [0xF5], [0xF8], [0xFE], [0xFF], [0xFE, 0xFE, 0xFF, 0xFF],
        [0xC2], [0xDF], [0xE0, 0xA0], [0xEF, 0xBF], [0xF0, 0x90, 0x80], [0xF4, 0x8F, 0xBF], [0xC3, 0x20], [0xC3, 0xC3],
        [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28], [0xF0, 0x28, 0x8C, 0xBC], [0xF0, 0x90, 0x28, 0xBC],
        [0xF0, 0x9F, 0x98, 0x28], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0xAF], [0xE0, 0x9F, 0xBF],
        [0xF0, 0x80, 0x80, 0xAF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF8, 0x80, 0x80, 0x80, 0xAF],
        [0xFC, 0x80, 0x80, 0x80, 0x80, 0xAF], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xF0, 0x80, 0x80, 0x80],
        [0xED, 0xA0, 0x80], [0xED, 0xAD, 0xBF], [0xED, 0xAE, 0x80], [0xED, 0xBF, 0xBF],
        [0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF7, 0xBF, 0xBF, 0xBF],
        [0xCE, 0xBA, 0xE1, 0xBD, 0xB9, 0xCF, 0x83, 0xCE, 0xBC, 0xCE, 0xB5, 0xED, 0xA0, 0x80, 0x65, 0x64, 0x69, 0x74],
        Array(String(repeating: "0123456789abcdef", count: 9).utf8) + [0xFF],
    ]

    @Test func validTextPassesWholeAndInFragmentsCutAnywhere() {
        for bytes in Self.valid {
            let text = String(decoding: bytes, as: UTF8.self)
            for frames in Self.fragmentations(bytes) {
                #expect(Decoded(frames).events == [.text(text)], "\(bytes) in \(frames.count) fragments")
            }
        }
    }

    @Test func invalidTextIsRefusedWholeAndInFragmentsCutAnywhere() {
        for bytes in Self.invalid {
            for frames in Self.fragmentations(bytes) {
                #expect(Decoded(frames).isOnly(.invalidPayload), "\(bytes) in \(frames.count) fragments")
            }
        }
    }

    @Test func theFirstWrongByteIsRefusedAtOnce() {
        let fragment = WireFrame(opcode: 1, payload: [0x61, 0xF4, 0x90], isFinal: false)
        #expect(Decoded([fragment]).isOnly(.invalidPayload))
        // Within a frame whose rest hasn't arrived.
        for size in [200, 100_000] {
            let payload = [0x61, 0xED, 0xA0] + [UInt8](repeating: 0x61, count: size)
            for role in [WebSocketRole.client, .server] {
                let start = [WireFrame(opcode: 1, payload: payload)].sent(to: role).bytes.prefix(30)
                #expect(Decoded([start], role: role).isOnly(.invalidPayload))
            }
        }
    }

    @Test func everySequenceOfTwoBytesIsJudgedAsTheStandardLibraryDoes() {
        for first in UInt8(0x7E)...0xFF {
            for second in UInt8(0)...0xFF {
                let bytes = [first, second, 0x80, 0xBF]
                for count in 2...4 {
                    let expected = String(validating: bytes.prefix(count), as: UTF8.self)
                    let frames = [
                        WireFrame(opcode: 1, payload: [first], isFinal: false),
                        WireFrame(opcode: 0, payload: Array(bytes[1..<count])),
                    ]
                    let events = Decoded(frames).events
                    if events != (expected.map { [.text($0)] } ?? []) {
                        Issue.record("\(bytes.prefix(count)): \(events)")
                    }
                }
            }
        }
    }

    /// At every position of a text in which blocks of ASCII are skipped.
    @Test func aCharacterIsFoundBehindAnyNumberOfLetters() {
        for lead in 0...70 {
            let letters = [UInt8](repeating: 0x7F, count: lead)
            for (tail, isValid, isComplete) in [
                ([0xC3, 0xA4], true, true), ([0x80], false, false), ([0xC3], true, false),
                ([0xFF, 0x41], false, false),
                ([0xF0, 0x9F, 0x98, 0x80, 0x41], true, true), ([0xE2, 0x82], true, false), ([0x00], true, true),
            ] as [([UInt8], Bool, Bool)] {
                for after in [0, 40] {
                    var check = UTF8Check()
                    let rest = [UInt8](repeating: 0x61, count: isComplete ? after : 0)
                    let accepts = (letters + tail + rest).withUnsafeBytes { check.accepts($0) }
                    #expect(accepts == isValid, "\(lead) and \(tail)")
                    #expect((!isValid || check.isComplete == isComplete), "\(lead) and \(tail)")
                }
            }
        }
    }

    /// Whole characters are validated four bytes at a time.
    @Test func everySequenceInOnePieceIsJudgedAsTheStandardLibraryDoes() {
        let seconds: [UInt8] = [
            0x00, 0x41, 0x7F, 0x80, 0x81, 0x87, 0x88, 0x8F, 0x90, 0x91, 0x9F, 0xA0, 0xA1, 0xB0, 0xBF, 0xC0, 0xE0, 0xFF,
        ]
        for first in UInt8(0xC0)...0xFF {
            for second in seconds {
                for third in [0x41, 0x7F, 0x80, 0xBF, 0xC0, 0xE0] as [UInt8] {
                    for fourth in [0x41, 0x80, 0xBF, 0xC3] as [UInt8] {
                        let bytes = [first, second, third, fourth, 0x41, 0x41, 0x41]
                        var check = UTF8Check()
                        let isValid = bytes.withUnsafeBytes { check.accepts($0) } && check.isComplete
                        if isValid != (String(validating: bytes, as: UTF8.self) != nil) {
                            Issue.record("\(bytes)")
                        }
                    }
                }
            }
        }
    }

    @Test func nothingIsCompleteText() {
        var check = UTF8Check()
        #expect(check.isComplete)
        let accepts = check.accepts(UnsafeRawBufferPointer(start: nil, count: 0))
        #expect(accepts)
        #expect(check.isComplete)
    }

    @Test func binaryMayBeAnything() {
        for bytes in Self.invalid { #expect(Decoded([.binary(bytes)]).events == [.binary(bytes)]) }
    }

    /// Returns the text in one frame, in two frames cut anywhere, and in a fragment per byte.
    private static func fragmentations(_ bytes: [UInt8]) -> [[WireFrame]] {
        var all = [[WireFrame(opcode: 1, payload: bytes)]]
        for cut in 0...bytes.count {
            all.append([
                WireFrame(opcode: 1, payload: Array(bytes[..<cut]), isFinal: false),
                WireFrame(opcode: 0, payload: Array(bytes[cut...])),
            ])
        }
        let single = bytes.enumerated().map { index, byte in
            WireFrame(opcode: index == 0 ? 1 : 0, payload: [byte], isFinal: index == bytes.count - 1)
        }
        return single.isEmpty ? all : all + [single]
    }
}
