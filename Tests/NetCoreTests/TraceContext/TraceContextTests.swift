import Foundation
import HTTPTypes
import NetTesting
import TestSupport
import Testing

@testable import NetCore

@Suite struct TraceContextTests {
    private let text = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    @Test func aParentIsReadAndWritten() throws {
        let parent = try #require(TraceParent(text))
        #expect(parent.description == text)
        #expect(parent.isSampled)
        #expect(parent.traceID.description == "0af7651916cd43dd8448eb211c80319c")
        #expect(TraceParent(" \(text)\t") == parent)
        #expect(TraceParent(text.dropLast(2) + "fe")?.description == text.dropLast(1) + "0")
        // A later version: the known part is parsed, regardless of the rest.
        #expect(TraceParent("cc" + text.dropFirst(2) + "-what-the-future") == parent)
        #expect(TraceParent("cc" + text.dropFirst(2) + "-") == parent)
    }

    @Test func aMalformedParentIsNone() {
        let bad = [
            "", "00", text.uppercased(), text + "-x", "ff" + text.dropFirst(2), "cc" + text.dropFirst(2) + ".x",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01", text + "," + text,
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", "0x-" + text.dropFirst(3),
        ]
        for text in bad { #expect(TraceParent(text) == nil, "\(text)") }
        for count in 0..<text.utf8.count { #expect(TraceParent(String(text.prefix(count))) == nil) }
        for text in Samples.hostile { #expect(TraceParent(text) == nil) }
    }

    @Test func aChildHasTheTraceAndAnIdOfItsOwn() throws {
        let random = SeededRandom(seed: 3).netRandom
        let parent = try #require(TraceParent(text))
        let child = parent.child(random: random)
        #expect(child.traceID == parent.traceID)
        #expect(child.parentID != parent.parentID)
        #expect(child.isSampled)
        let zero = NetRandom { 0 }
        #expect(TraceParent(TraceParent.random(zero).description)?.parentID == 1)
        #expect(TraceParent(CallID(high: 1, low: 2), random: random).traceID.description.hasSuffix("10000000000000002"))
    }

    @Test func aStateKeepsItsOrderAndItsLimits() throws {
        var state = try #require(TraceState(lines: ["a=1 ,\t,b@c= 2", "", "d=x y"]))
        #expect(state.description == "a=1,b@c= 2,d=x y")
        state["d"] = "new"
        state["Bad Key"] = "x"
        state["e"] = "a,b"
        #expect(state.description == "d=new,a=1,b@c= 2")
        state["a"] = nil
        #expect(state["a"] == nil)
        #expect(state.entries.count == 2)
        for bad in [
            "a", "a=1,a=2", "A=1", "a.b=1", "a=b=c", "=1", "a@b@c=1", "a=é", String(repeating: "k", count: 257) + "=1",
        ] { #expect(TraceState(bad) == nil, "\(bad)") }
        let many = (0..<32).map { "k\($0)=1" }.joined(separator: ",")
        #expect(TraceState(many)?.entries.count == 32)
        #expect(TraceState(many + ",x=1") == nil)
        var full = try #require(TraceState(many))
        full["new"] = "1"
        try #require(full.entries.count == 32)
        #expect(full.entries[0].key == "new")
        #expect(full["k31"] == nil)
    }

    @Test func oversizedTraceStatesDropTheLongestEntriesFirst() throws {
        var state = TraceState()
        for number in 0..<10 { state["k\(number)"] = String(repeating: "v", count: 100) }
        state["long"] = String(repeating: "v", count: 200)
        let sent = try #require(TraceState(state.fieldValue))
        #expect(state.fieldValue.utf8.count <= TraceState.maximumBytes)
        #expect(sent.entries.map(\.key) == ["k9", "k8", "k7", "k6"])
        #expect(TraceState().fieldValue.isEmpty)
    }

    @Test func baggageIsDecodedAndEncoded() throws {
        var baggage = Baggage(lines: [
            "userId = al%20ice ;internal; ttl=5, x=100%", "bad, =1, a b=2, q=\"1\", x=%E2%82%AC",
        ])
        try #require(baggage.members.map(\.key) == ["userId", "x"])
        #expect(baggage["userId"] == "al ice")
        #expect(baggage["x"] == "€")
        #expect(baggage.members[0].properties == ["internal", "ttl=5"])
        baggage["y"] = "a,b;c=\"d\"\\é%"
        baggage["no token"] = "1"
        #expect(baggage.description.hasPrefix("userId=al%20ice;internal;ttl=5,x=%E2%82%AC,y=a%2Cb%3Bc"))
        #expect(Baggage(baggage.description) == baggage)
        baggage["x"] = nil
        #expect(baggage["x"] == nil)
        #expect(Baggage("a=%FF")["a"] == "\u{fffd}")
        for text in Samples.hostile {
            var one = Baggage()
            one["k"] = text
            #expect(Baggage(one.description)["k"] == text)
            _ = Baggage(text)
        }
    }

    @Test func baggageHasLimits() {
        let many = (0..<100).map { "k\($0)=1" }.joined(separator: ",")
        #expect(Baggage(many).members.count == Baggage.maximumMembers)
        var large = Baggage()
        for number in 0..<20 { large["k\(number)"] = String(repeating: "v", count: 1000) }
        #expect(large.description.utf8.count <= Baggage.maximumBytes)
        #expect(Baggage(large.description).members.count == 8)
        #expect(Baggage(String(repeating: "a=1,", count: 100_000)).members.count == 1)
    }

    @Test func theFieldsOfARequestAreOneContext() {
        var headers: HTTPFields = [.traceParent: text, .baggage: "a=1"]
        headers.append(HTTPField(name: .traceState, value: "x=1"))
        headers.append(HTTPField(name: .traceState, value: "y=2"))
        let context = TraceContext(headers: headers)
        #expect(context?.state.description == "x=1,y=2")
        #expect(context?.baggage["a"] == "1")
        headers[.traceState] = "X=1"
        #expect(TraceContext(headers: headers)?.state.entries.isEmpty == true)
        headers.append(HTTPField(name: .traceParent, value: text))
        #expect(TraceContext(headers: headers) == nil)
    }
}
