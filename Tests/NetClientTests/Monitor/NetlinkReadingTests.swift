import Testing

@testable import NetClient

/// The decoding of kernel messages: offsets, lengths, flags.
@Suite struct NetlinkReadingTests {
    private typealias Made = NetlinkSamples

    private func one(_ bytes: [UInt8]) throws -> NetlinkMessage {
        let messages = NetlinkMessage.read(bytes)
        try #require(messages.count == 1)
        return messages[0]
    }

    @Test func messagesFollowEachOtherAtMultiplesOfFour() {
        let bytes = Made.message(16, flags: 2, sequence: 9, [1, 2, 3]) + Made.message(24, [4]) + Made.message(3, [])
        let messages = NetlinkMessage.read(bytes)
        #expect(messages.map(\.type) == [16, 24, 3])
        #expect(messages.map(\.flags) == [2, 0, 0])
        #expect(messages.map(\.sequence) == [9, 7, 7])
        #expect(messages.map { Array($0.payload) } == [[1, 2, 3], [4], []])
        #expect(NetlinkMessage.read(Array(bytes.dropLast(1))).count == 2, "the last one isn't whole")
        // The padding of the last message may be missing.
        #expect(NetlinkMessage.read(Array(Made.message(16, [1]).dropLast(3))).map(\.payload.count) == [1])
    }

    @Test(arguments: [(15, nil), (16, 0), (17, 1), (20, 4), (21, nil), (0, nil)] as [(UInt32, Int?)])
    func theLengthOfAMessageIsBetweenItsHeaderAndWhatIsThere(length: UInt32, payload: Int?) {
        let bytes = Made.bytes(length) + Made.message(24, [1, 2, 3, 4]).dropFirst(4)
        #expect(NetlinkMessage.read(bytes).first.map(\.payload.count) == payload)
    }

    @Test func oneFlagSaysThatADumpWasInterrupted() throws {
        for flags: UInt16 in [0, 0x0f, 0x20, 0xffef] {
            #expect(try !one(Made.message(16, flags: flags, [])).isInterrupted, "\(flags)")
        }
        for flags: UInt16 in [0x10, 0x12, 0xffff] {
            #expect(try one(Made.message(16, flags: flags, [])).isInterrupted, "\(flags)")
        }
    }

    @Test func attributesFollowEachOtherAtMultiplesOfFour() throws {
        let list: [(UInt16, [UInt8])] = [(1, [1]), (2, []), (3, [1, 2, 3, 4]), (0x8004, [5]), (0x4005, [6]), (1, [7])]
        let message = try one(Made.message(16, [0, 0, 0, 0] + Made.attributes(list)))
        let attributes = message.attributes(after: 4).mapValues { Array($0) }
        #expect(attributes == [1: [7], 2: [], 3: [1, 2, 3, 4], 4: [5], 5: [6]])
        #expect(message.attributes(after: message.payload.count).isEmpty)
        #expect(message.attributes(after: message.payload.count + 1).isEmpty)
    }

    @Test(arguments: [(3, nil), (4, 0), (5, 1), (8, 4), (9, nil)] as [(UInt16, Int?)])
    func theLengthOfAnAttributeIsBetweenItsHeaderAndWhatIsThere(length: UInt16, count: Int?) {
        let bytes = Made.bytes(length) + Made.bytes(UInt16(1)) + [1, 2, 3, 4]
        #expect(NetlinkMessage.attributes(in: bytes[...])[1].map(\.count) == count)
    }

    @Test func numbersAreWholeOrNone() {
        let bytes: ArraySlice<UInt8> = [9, 1, 2, 3, 4][1...]
        #expect(bytes.integer(at: 0, as: UInt32.self) == [UInt8](bytes).withUnsafeBytes { $0.load(as: UInt32.self) })
        #expect(bytes.integer(at: 3, as: UInt8.self) == 4)
        #expect(bytes.integer(at: 4, as: UInt8.self) == nil)
        #expect(bytes.integer(at: 1, as: UInt32.self) == nil)
        #expect(bytes.integer(at: 2, as: UInt16.self) != nil)
        #expect(ArraySlice("lo\0x".utf8).text == "lo")
        #expect(ArraySlice("eth0".utf8).text == "eth0")
    }

    @Test func aLinkHasItsPartsAtTheirPlaces() throws {
        let link = try #require(NetworkLink(one(Made.link(3, "wwan0", flags: 0x1041, hardware: 519, kind: "wwan"))))
        #expect(link == NetworkLink(index: 3, name: "wwan0", flags: 0x1041, hardware: 519, kind: "wwan"))
        #expect(NetworkLink(try one(Made.link(3, ""))) == nil, "it has no name")
        #expect(NetworkLink(try one(Made.message(16, Array(repeating: 0, count: 16)))) == nil)
        #expect(NetworkLink(try one(Made.address(3, [10, 0, 0, 1]))) == nil)
    }

    @Test func anAddressHasItsPartsAtTheirPlaces() throws {
        let plain = try #require(NetworkAddress(one(Made.address(3, [10, 0, 0, 1], scope: 253, flags: 0x80))))
        #expect(plain.link == 3)
        #expect(plain.family == 2)
        #expect(plain.bytes == [10, 0, 0, 1])
        #expect(plain.scope == 253)
        #expect(plain.flags == 0x80)
        // The remote end of a point-to-point link comes first, and the flags that don't fit come last.
        let far = try #require(
            NetworkAddress(
                one(Made.address(4, [10, 0, 0, 1], flags: 1, more: [(2, [10, 0, 0, 2]), (8, Made.long(0x108))]))))
        #expect(far.bytes == [10, 0, 0, 2])
        #expect(far.flags == 0x108)
        #expect(NetworkAddress(try one(Made.message(20, [2, 24, 0, 0] + Made.bytes(Int32(3))))) == nil)
        #expect(NetworkAddress(try one(Made.link(3, "eth0"))) == nil)
    }

    @Test(
        arguments: [
            (0, 0, true), (200, 0x80, true), (252, 0x97, true), (253, 0, false), (254, 0, false), (0, 0x08, false),
            (0, 0x20, false), (0, 0x40, false), (0, 0xff, false),
        ] as [(UInt8, UInt8, Bool)])
    func anAddressLeadsOutUnlessItsScopeOrAFlagForbidsIt(scope: UInt8, flags: UInt8, isUsable: Bool) throws {
        let address = NetworkAddress(try one(Made.address(3, [10, 0, 0, 1], scope: scope, flags: flags)))
        #expect(address?.isUsable == isUsable)
    }

    @Test func onlyAddressesOfIPv6AreTemporary() throws {
        let cases: [(UInt8, UInt8, Bool)] = [
            (2, 1, true), (10, 1, false), (10, 0, true), (10, 0x80, true), (10, 3, false),
        ]
        for (family, flags, isStable) in cases {
            let address = NetworkAddress(try one(Made.address(3, [1], family: family, flags: flags)))
            #expect(address?.isStable == isStable, "\(family) \(flags)")
        }
    }

    @Test func aRouteHasItsPartsAtTheirPlaces() throws {
        let route = try #require(
            NetworkRoute(
                one(
                    Made.route(
                        [10, 0, 0, 0], length: 8, table: 7, type: 6, link: 5, gateway: [10, 0, 0, 1], metric: 9,
                        more: [(7, [10, 0, 0, 2])]))))
        #expect(route.family == 2)
        #expect(route.destination == [10, 0, 0, 0])
        #expect(route.prefixLength == 8)
        #expect(route.table == 7)
        #expect(route.type == 6)
        #expect(route.metric == 9)
        #expect(route.source == [10, 0, 0, 2])
        #expect(route.hops == [.init(link: 5, gateway: [10, 0, 0, 1])])
        let bare = try #require(NetworkRoute(one(Made.route())))
        #expect(bare.destination.isEmpty)
        #expect(bare.metric == 0)
        #expect(bare.source == nil)
        #expect(bare.hops.isEmpty)
        #expect(bare.table == 254)
        #expect(bare.isUnicast)
        #expect(!bare.discards)
        let far = try #require(NetworkRoute(one(Made.route(more: [(15, Made.long(70_000)), (4, Made.long(2))]))))
        #expect(far.table == 70_000)
        #expect(far.hops == [.init(link: 2, gateway: [])])
        // A gateway of the other address family.
        let via = try #require(NetworkRoute(one(Made.route(link: 2, more: [(18, [10, 0, 1])]))))
        #expect(via.hops == [.init(link: 2, gateway: [10, 0, 1])])
        #expect(NetworkRoute(try one(Made.link(3, "eth0"))) == nil)
        #expect(NetworkRoute(try one(Made.message(24, Array(repeating: 0, count: 11)))) == nil)
    }

    @Test func aRouteThatIsClonedOrDeadLeadsNowhere() throws {
        #expect(NetworkRoute(try one(Made.route(flags: 0x200, link: 2))) == nil)
        for (flags, count): (UInt32, Int) in [(0, 1), (1, 0), (0x10, 0), (0x11, 0), (0xe, 1), (0x100, 1)] {
            #expect(NetworkRoute(try one(Made.route(flags: flags, link: 2)))?.hops.count == count, "\(flags)")
        }
    }

    private func hop(_ length: UInt16, flags: UInt8 = 0, _ link: Int32, _ attributes: [UInt8] = []) -> [UInt8] {
        Made.bytes(length) + [flags, 0] + Made.bytes(link) + attributes
    }

    @Test func eachHopOfARouteIsReadUntilOneIsNotWhole() throws {
        func links(_ bytes: [UInt8]) throws -> [Int32] {
            NetworkRoute(try one(Made.route(more: [(9, bytes)])))?.hops.map(\.link) ?? []
        }
        #expect(try links(hop(8, 2) + hop(8, 3)) == [2, 3])
        #expect(try links(hop(8, flags: 1, 2) + hop(8, flags: 0x10, 3) + hop(8, flags: 4, 4)) == [4])
        #expect(try links(hop(7, 2) + hop(8, 3)) == [])
        #expect(try links(hop(8, 2) + hop(9, 3)) == [2])
        #expect(try links(hop(10, 2, [0, 0, 0, 0]) + hop(8, 3)) == [2, 3], "they begin at multiples of four")
        let gateway = hop(16, 2, Made.attribute(5, [10, 0, 0, 1]))
        #expect(
            NetworkRoute(try one(Made.route(link: 9, more: [(9, gateway)])))?.hops
                == [.init(link: 2, gateway: [10, 0, 0, 1])])
    }

    @Test func theTypeOfARouteSaysWhatBecomesOfPackets() throws {
        for type: UInt8 in 0...10 {
            let route = NetworkRoute(try one(Made.route(type: type)))
            #expect(route?.isUnicast == (type == 1), "\(type)")
            #expect(route?.discards == [6, 7, 8].contains(type), "\(type)")
        }
    }

    @Test(
        arguments: [
            ([0xff, 2], 10, true), ([0xff, 2], 2, false), ([0xfe, 0x80], 10, true), ([0xfe, 0x90], 10, false),
            ([0xfd, 0x80], 10, false), ([0x20, 1], 10, false), ([], 10, false),
        ] as [([UInt8], UInt8, Bool)])
    func someRoutesEachLinkHasByItself(destination: [UInt8], family: UInt8, isOfLinkAlone: Bool) throws {
        let route = NetworkRoute(try one(Made.route(destination, length: 8, family: family)))
        #expect(route?.isOfLinkAlone == isOfLinkAlone)
    }

    @Test(
        arguments: [
            (0, .nothing), (1, .look(table: 9)), (2, .jump(to: .max)), (3, .nothing), (5, .nothing), (6, .discard),
            (7, .discard), (8, .discard), (9, .nothing),
        ] as [(UInt8, RoutingRule.Action)])
    func aRuleSaysWhatIsDone(action: UInt8, expected: RoutingRule.Action) throws {
        let rule = try #require(RoutingRule(one(Made.rule(priority: 5, table: 9, action: action, family: 10))))
        #expect(rule.action == expected)
        #expect(rule.priority == 5)
        #expect(rule.family == 10)
        #expect(rule.isGeneral)
        #expect(rule.suppressedLength == nil)
    }

    @Test func aRuleHasItsAttributes() throws {
        func rule(_ action: UInt8, _ more: (UInt16, UInt32)...) throws -> RoutingRule? {
            RoutingRule(try one(Made.rule(table: 9, action: action, more: more.map { ($0.0, Made.long($0.1)) })))
        }
        #expect(try rule(1, (15, 70_000))?.action == .look(table: 70_000))
        #expect(try rule(2, (4, 300))?.action == .jump(to: 300))
        #expect(try rule(1)?.priority == 0)
        for (value, expected): (UInt32, Int32?) in [(0, 0), (5, 5), (.max, nil)] {
            #expect(try rule(1, (14, value))?.suppressedLength == expected)
        }
        #expect(RoutingRule(try one(Made.message(32, Array(repeating: 0, count: 11)))) == nil)
        #expect(RoutingRule(try one(Made.route())) == nil)
    }

    @Test func aRuleIsGeneralIfItSelectsByNothing() throws {
        func isGeneral(_ bytes: [UInt8]) throws -> Bool? { RoutingRule(try one(bytes))?.isGeneral }
        func lasting(_ type: UInt16, _ value: [UInt8]) -> [UInt8] { Made.rule(more: [(type, value)]) }
        #expect(try isGeneral(Made.rule(destination: 1)) == false)
        #expect(try isGeneral(Made.rule(source: 1)) == false)
        #expect(try isGeneral(lasting(10, Made.long(0))) == true)
        #expect(try isGeneral(lasting(10, Made.long(1))) == false)
        #expect(try isGeneral(lasting(3, Array("lo\0".utf8))) == true)
        #expect(try isGeneral(lasting(3, Array("eth0\0".utf8))) == false)
        for type: UInt16 in 1...26 where ![3, 4, 6, 10, 14, 15].contains(type) {
            let isOther = [12, 17, 19, 20, 22, 23, 24].contains(type)
            #expect(try isGeneral(lasting(type, Made.long(1))) == !isOther, "\(type)")
        }
        // An inverted rule applies to everything except what it names.
        for (flags, isTurned): (UInt32, Bool) in [(1, false), (2, true), (3, true), (4, false)] {
            #expect(try isGeneral(Made.rule(flags: flags)) == !isTurned)
            #expect(try isGeneral(Made.rule(source: 1, flags: flags)) == isTurned)
        }
    }

    @Test func aMachineWithoutRulesLooksIntoThreeTables() {
        for family: UInt8 in [2, 10] {
            let rules = RoutingRule.standard(family)
            #expect(rules.map(\.family) == [family, family, family])
            #expect(rules.allSatisfy { $0.isGeneral })
            #expect(rules.map(\.priority) == [0, 32_766, 32_767])
            #expect(rules.map(\.action) == [255, 254, 253].map { .look(table: $0) })
        }
    }
}
