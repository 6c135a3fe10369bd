import NetCore
import NetSocketCore
import Testing

/// At-least-once delivery and recovery over a network that is cut at random. The message of a failure contains the
/// seed, which repeats the same steps.
struct DeliveryWorldTests {
    private static let seeds: Range<UInt64> = 0..<1000

    /// Returns a world after the steps that a seed leads to.
    private static func world(_ seed: UInt64, isNumbered: Bool = true, forgets: Bool = false) -> DeliveryWorld {
        var world = DeliveryWorld(seed: seed, isNumbered: isNumbered)
        world.join()
        for _ in 0..<150 {
            switch world.below(20) {
            case 0...4: world.say()
            case 5...7: world.push()
            case 8: world.pushToChannel()
            case 9...13: world.deliver(world.below(5), world.below(5))
            case 14: world.cut()
            case 15: world.passTimer()
            case 16: world.below(4) == 0 ? world.pause() : world.resume()
            case 17: if forgets, world.below(4) == 0 { world.forget() }
            default: world.connect()
            }
            world.join()
        }
        world.settle()
        return world
    }

    @Test func eachMessageArrivesOnceAndInOrderWhileBothEndsLive() {
        var (messages, cuts) = (0, 0)
        for seed in Self.seeds {
            let world = Self.world(seed)
            #expect(world.faults == [], "seed \(seed): \(world.faults)")
            #expect(world.session.faults == [], "seed \(seed): \(world.faults)")
            #expect(world.heardByServer == world.said, "seed \(seed)")
            #expect(world.heardByClient == world.pushed, "seed \(seed)")
            #expect(world.lostByClient == [], "seed \(seed)")
            #expect(world.lostByServer == [], "seed \(seed)")
            (messages, cuts) = (messages + world.said.count + world.pushed.count, cuts + world.cuts)
            if world.heardByServer != world.said || world.heardByClient != world.pushed { break }
        }
        #expect(messages > 30_000, "\(messages) messages, \(cuts) cuts")
        #expect(cuts > 2000, "\(messages) messages, \(cuts) cuts")
    }

    @Test func anEndThatLivesIsToldWhatTheOtherMayHaveLost() {
        for seed in Self.seeds {
            var world = Self.world(seed, forgets: true)
            world.end()
            #expect(world.faults == [], "seed \(seed): \(world.faults)")
            #expect(world.session.faults == [], "seed \(seed): \(world.faults)")
            for (said, heard, lost) in [
                (world.said, world.heardByServer, world.lostByClient),
                (world.pushed, world.heardByClient, world.lostByServer),
            ] {
                #expect(heard == heard.sorted(), "seed \(seed): in order and once")
                #expect(Set(heard).count == heard.count, "seed \(seed): in order and once")
                #expect(Set(heard).union(lost) == Set(said), "seed \(seed): nothing is lost in silence")
                #expect(lost == lost.sorted(), "seed \(seed)")
            }
        }
    }

    @Test(arguments: [true, false]) func everyHoleInAChannelIsTold(isNumbered: Bool) {
        var holes = 0
        for seed in Self.seeds {
            let world = Self.world(seed, isNumbered: isNumbered, forgets: true)
            #expect(world.faults == [], "seed \(seed): \(world.faults)")
            #expect(world.session.faults == [], "seed \(seed): \(world.faults)")
            var last: UInt64?
            for offset in world.offsets {
                // After a reported gap, any offset may follow.
                if offset == 0 {
                    (holes, last) = (holes + 1, nil)
                } else {
                    #expect(last == nil || offset == (last ?? 0) + 1, "seed \(seed): \(world.offsets)")
                    last = offset
                }
            }
        }
        #expect(holes > 100)
    }
}
