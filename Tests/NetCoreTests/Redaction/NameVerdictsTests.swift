import Testing

@testable import NetCore

/// Names are classified once, and cached in a table that is smaller than the number of names in some texts.
@Suite struct NameVerdictsTests {
    @Test func cachedVerdictsApplyOnlyToTheirName() {
        let text = Array("token,other,token".utf8)
        text.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            var verdicts = NameVerdicts()
            let (first, other, again) = (0..<5, 6..<11, 12..<17)
            let slot = verdicts.slot(of: first, in: base)
            #expect(verdicts[slot, of: first, in: base] == nil)
            verdicts.keep(.hidden, slot, of: first)
            #expect(verdicts.slot(of: again, in: base) == slot)
            #expect(verdicts[slot, of: again, in: base] == .hidden)
            // Another name of the same length, or a part of it, in the same slot.
            #expect(verdicts[slot, of: other, in: base] == nil)
            #expect(verdicts[slot, of: 0..<4, in: base] == nil)
            verdicts.keep(.shown, slot, of: other)
            #expect(verdicts[slot, of: again, in: base] == nil)
            #expect(verdicts[slot, of: other, in: base] == .shown)
        }
    }

    @Test func moreNamesThanThereIsRoomForAreEachJudgedRight() {
        let members = (0..<2000).map { number in
            number % 3 == 0 ? #""password\#(number)":"hide\#(number)""# : #""name\#(number)":"show\#(number)""#
        }
        let text = Array("[{\(members.joined(separator: ","))},{\(members.reversed().joined(separator: ","))}]".utf8)
        let edits = RedactionPolicy.safeDefault.edits(in: text, contentType: "application/json")
        let redacted = String(decoding: edits.applied(to: text), as: UTF8.self)
        #expect(!redacted.contains("hide"))
        #expect(redacted.split(separator: "show").count - 1 == 2 * members.count { $0.contains("show") })
    }
}
