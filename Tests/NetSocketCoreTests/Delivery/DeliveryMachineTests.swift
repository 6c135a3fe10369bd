import NetCore
import NetSocketCore
import Testing

struct DeliveryMachineTests {
    private static func machine(count: Int = 3, bytes: Int = 100) -> DeliveryMachine {
        DeliveryMachine(SocketDelivery(maximumCount: count, maximumBytes: bytes, acknowledgmentCount: 2))
    }

    private static func push(_ name: String) -> WireSignal { .push(WirePush(event: name)) }

    @Test func numbersCountUpFromOne() {
        var machine = Self.machine()
        #expect(machine.number(Self.push("a"), bytes: 1) == .numbered(1, Self.push("a")))
        #expect(machine.number(Self.push("b"), bytes: 1) == .numbered(2, Self.push("b")))
        #expect(machine.unacknowledged.map(\.number) == [1, 2])
    }

    @Test func unacknowledgedMessagesAreLimitedByCountAndBytes() throws {
        var machine = Self.machine()
        #expect(machine.hasRoom(for: 5000), "a large message goes alone")
        for name in ["a", "b", "c"] { _ = machine.number(Self.push(name), bytes: 10) }
        #expect(!machine.hasRoom(for: 1))
        try machine.acknowledge(upTo: 1)
        #expect(machine.hasRoom(for: 80))
        #expect(!machine.hasRoom(for: 81))
        #expect(machine.bytes == 20)
    }

    @Test func anAcknowledgmentCoversAllBefore() throws {
        var machine = Self.machine(count: 1000)
        for number in 1...500 { _ = machine.number(Self.push("\(number)"), bytes: 0) }
        try machine.acknowledge(upTo: 400)
        #expect(machine.unacknowledged.map(\.number) == Array(401...500))
        try machine.acknowledge(upTo: 300)
        #expect(machine.acknowledged == 400, "it never goes back")
        let error = #expect(throws: NetError.self) { try machine.acknowledge(upTo: 501) }
        #expect(error?.code == .protocolViolation)
    }

    @Test func doublesAreNotNewAndHolesAreViolations() throws {
        var machine = Self.machine()
        for (number, isNew) in [(1, true), (2, true), (1, false), (2, false), (3, true)] as [(UInt64, Bool)] {
            let found = try machine.receive(number)
            #expect(found == isNew)
        }
        let error = #expect(throws: NetError.self) { try machine.receive(5) }
        #expect(error?.code == .protocolViolation)
        #expect(error?.message.contains("5 arrived after 3") == true)
        #expect(machine.received == 3)
    }

    @Test func acknowledgmentsAreOwedOnce() throws {
        var machine = Self.machine()
        #expect(machine.takeAcknowledgment() == nil)
        _ = try machine.receive(1)
        #expect(machine.owesAcknowledgment)
        #expect(!machine.mustAcknowledge)
        _ = try machine.receive(2)
        #expect(machine.mustAcknowledge)
        #expect(machine.takeAcknowledgment() == 2)
        #expect(machine.takeAcknowledgment() == nil)
        _ = try machine.receive(2)
        #expect(machine.takeAcknowledgment() == 2, "whoever sends it again doesn't know")
    }

    /// Returns a client in epoch `a` that has sent three messages, one of them acknowledged.
    private static func client() throws -> DeliveryMachine {
        var machine = machine()
        #expect(machine.resume(session: "s") == WireResume(session: "s"))
        let agreement = try machine.resumed(WireResumed(epoch: "a", received: 0))
        #expect(agreement == .init(isNew: true))
        for name in ["a", "b", "c"] { _ = machine.number(Self.push(name), bytes: 1) }
        try machine.acknowledge(upTo: 1)
        return machine
    }

    @Test func aNewConnectionSendsAgainWhatThePeerLacks() throws {
        var machine = try Self.client()
        _ = try machine.receive(1)
        #expect(machine.resume(session: "s") == WireResume(session: "s", epoch: "a", received: 1))
        let again = try machine.resumed(WireResumed(epoch: "a", received: 2)).again
        #expect(again == [.numbered(3, Self.push("c"))])
        let nothing = try machine.resumed(WireResumed(epoch: "a", received: 3))
        #expect(nothing == .init())
    }

    @Test func aServerThatHasForgottenBeginsAnew() throws {
        var machine = try Self.client()
        let agreement = try machine.resumed(WireResumed(epoch: "b", received: 1))
        #expect(agreement == .init(lost: [Self.push("b"), Self.push("c")], isNew: true))
        #expect(machine.lastSent == 0)
        #expect(machine.received == 0)
        #expect(machine.epoch == "b")
    }

    @Test(arguments: [0, 4] as [UInt64]) func aServerThatContradictsItselfIsAViolation(received: UInt64) throws {
        var machine = try Self.client()
        let error = #expect(throws: NetError.self) {
            try machine.resumed(WireResumed(epoch: "a", received: received))
        }
        #expect(error?.code == .protocolViolation)
        #expect(error?.message.contains("\(received) received messages, but 3 were sent and 1 were") == true)
        #expect(machine.unacknowledged.count == 2, "nothing is forgotten")
    }

    @Test func repliesAcknowledgeMessagesUpToTheRequest() throws {
        var machine = try Self.client()
        machine.conclude(arrivalOf: 2)
        #expect(machine.unacknowledged.map(\.number) == [3])
        machine.conclude(arrivalOf: 9)
        #expect(machine.unacknowledged.map(\.number) == [3])
    }

    @Test func anAnswerThatIsLostCostsNothing() throws {
        var server = Self.machine()
        let resume = WireResume(session: "s", epoch: "old", received: 7)
        #expect(server.accept(resume, next: "new").answer == WireResumed(epoch: "new", received: 0))
        _ = server.number(Self.push("a"), bytes: 1)
        // The client repeats its request: it doesn't know the new epoch.
        let (answer, agreement) = server.accept(resume, next: "newer")
        #expect(answer == WireResumed(epoch: "new", received: 0))
        #expect(agreement == .init(again: [.numbered(1, Self.push("a"))]))
        try server.acknowledge(upTo: 1)
        #expect(server.accept(resume, next: "newer").answer.epoch == "newer", "who has acknowledged has learned")
    }

    @Test func beginningAnewReturnsWhatIsLost() throws {
        var machine = Self.machine()
        _ = try machine.receive(1)
        for name in ["a", "b"] { _ = machine.number(Self.push(name), bytes: 1) }
        machine.void(1)
        #expect(machine.reset() == [.alive(nil), Self.push("b")])
        #expect(machine.received == 0)
        #expect(machine.lastSent == 0)
        #expect(machine.bytes == 0)
    }

    @Test func theLimitsHaveDefaults() {
        let limits = SocketDelivery()
        #expect(limits.maximumCount == 1000)
        #expect(limits.maximumBytes == 1 << 20)
        #expect(limits.acknowledgmentCount == 32)
        #expect(limits.acknowledgmentDelay == .milliseconds(200))
    }

    @Test(arguments: [(0, 1), (-5, 1), (1, 1), (2, 2), (32, 32)])
    func theReceiverAcknowledgesAtOnceAfterSoMany(count: Int, messages: Int) throws {
        var machine = DeliveryMachine(SocketDelivery(acknowledgmentCount: count))
        for number in 1...messages {
            #expect(!machine.mustAcknowledge)
            _ = try machine.receive(UInt64(number))
        }
        #expect(machine.mustAcknowledge)
        #expect(machine.owesAcknowledgment)
        #expect(machine.takeAcknowledgment() == UInt64(messages))
        #expect(machine.reported == UInt64(messages))
        #expect(!machine.mustAcknowledge)
        #expect(!machine.owesAcknowledgment)
    }

    @Test func onlyUnacknowledgedMessagesAreKept() throws {
        var machine = DeliveryMachine(SocketDelivery(maximumCount: 1000))
        for number in UInt64(1)...500 {
            #expect(machine.number(Self.push("\(number)"), bytes: 3) == .numbered(number, Self.push("\(number)")))
            #expect(machine.lastSent == number)
            // Occasionally the peer catches up, sometimes completely.
            let upTo = number % 100 == 0 ? number : number > 150 ? number - 150 : 0
            try machine.acknowledge(upTo: upTo)
            let first = max(upTo, machine.acknowledged) + 1
            #expect(machine.unacknowledged.map(\.number) == Array(first..<(number + 1)))
            #expect(machine.bytes == 3 * Int(number + 1 - first))
        }
    }

    @Test func aVoidMessageKeepsItsPlaceAndNoRoom() throws {
        var machine = Self.machine(count: 10)
        for name in ["a", "b", "c"] { _ = machine.number(Self.push(name), bytes: 10) }
        try machine.acknowledge(upTo: 1)
        for number in [1, 4, 0] as [UInt64] { machine.void(number) }
        #expect(machine.bytes == 20)
        machine.void(3)
        #expect(machine.bytes == 10)
        #expect(machine.unacknowledged.map(\.signal) == [Self.push("b"), .alive(nil)])
        try machine.acknowledge(upTo: 3)
        #expect(machine.bytes == 0)
        #expect(machine.unacknowledged.isEmpty)
    }

    @Test func thereIsRoomUpToBothLimits() {
        var machine = Self.machine(count: 3, bytes: 100)
        _ = machine.number(Self.push("a"), bytes: 60)
        #expect(machine.hasRoom(for: 40))
        #expect(!machine.hasRoom(for: 41))
        _ = machine.number(Self.push("b"), bytes: 0)
        #expect(machine.hasRoom(for: 40))
        _ = machine.number(Self.push("c"), bytes: 0)
        #expect(!machine.hasRoom(for: 0))
    }

    @Test func nothingIsConcludedFromWhatIsKnownOrWasNeverSent() throws {
        var machine = try Self.client()
        for number in [0, 1, 4] as [UInt64] { machine.conclude(arrivalOf: number) }
        #expect(machine.acknowledged == 1)
        #expect(machine.unacknowledged.count == 2)
        machine.conclude(arrivalOf: 3)
        #expect(machine.acknowledged == 3)
        #expect(machine.unacknowledged.isEmpty)
    }

    /// Returns a session at a server in epoch `new` that has received and sent messages.
    private static func server() throws -> DeliveryMachine {
        var machine = machine()
        _ = machine.accept(WireResume(session: "s"), next: "new")
        _ = try machine.receive(1)
        for name in ["a", "b"] { _ = machine.number(push(name), bytes: 1) }
        try machine.acknowledge(upTo: 1)
        return machine
    }

    @Test func aServerGoesOnWithAClientThatKnowsTheEpoch() throws {
        var machine = try Self.server()
        let (answer, agreement) = machine.accept(
            WireResume(session: "s", epoch: "new", received: 1), next: "newer")
        #expect(answer == WireResumed(epoch: "new", received: 1))
        #expect(agreement == .init(again: [.numbered(2, Self.push("b"))]))
        #expect(!machine.owesAcknowledgment, "the answer has told it")
    }

    @Test(arguments: [
        WireResume(session: "s", epoch: "new", received: 0), WireResume(session: "s", epoch: "new", received: 3),
        WireResume(session: "s", epoch: "old", received: 1), WireResume(session: "s"),
    ])
    func aServerBeginsAnewWithAClientThatHasForgotten(resume: WireResume) throws {
        var machine = try Self.server()
        let (answer, agreement) = machine.accept(resume, next: "newer")
        #expect(answer == WireResumed(epoch: "newer", received: 0))
        #expect(agreement == .init(lost: [Self.push("b")], isNew: true))
        #expect(machine.epoch == "newer")
        #expect(machine.received == 0)
        #expect(machine.limits.acknowledgmentCount == 2)
    }

    @Test func aRepeatedMessageIsAcknowledgedByTheNextConnection() throws {
        var machine = Self.machine()
        _ = try machine.resumed(WireResumed(epoch: "a", received: 0))
        _ = try machine.receive(1)
        _ = try machine.receive(1)
        #expect(machine.owesAcknowledgment)
        _ = machine.resume(session: "s")
        #expect(!machine.owesAcknowledgment)
        #expect(machine.reported == 1)
    }
}
