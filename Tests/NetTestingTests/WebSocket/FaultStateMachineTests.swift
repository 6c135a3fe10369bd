import NetCore
import NetSocketCore
import Testing

@testable import NetTesting

/// The decision about the bytes that arrive, for all cuts.
struct FaultStateMachineTests {
    /// Two masked texts, the second of 200 bytes, and an empty ping.
    private var bytes: [UInt8] {
        var endpoint = SocketEndpoint(role: .client, maximumMessageBytes: 1000)
        endpoint.send(.text("short"))
        endpoint.send(.text(String(repeating: "x", count: 200)))
        endpoint.send(.ping, Bytes())
        return endpoint.takeOutgoing { Array($0) }
    }

    private func run(
        _ faults: WebSocketFaults.Direction, cutInto size: Int
    ) -> (arrived: [UInt8], failures: [WebSocketFaults.Failure]) {
        var machine = FaultStateMachine(faults)
        var (arrived, failures) = ([UInt8](), [WebSocketFaults.Failure]())
        let bytes = bytes
        for start in stride(from: 0, to: bytes.count, by: size) {
            let outcome = Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBytes { machine.write($0) }
            arrived += outcome.chunks.flatMap { Array($0) }
            if let failure = outcome.failure { failures.append(failure) }
        }
        return (arrived, failures)
    }

    @Test(arguments: [1, 2, 3, 7, 1000]) func framesAreCountedHoweverTheyAreCut(_ size: Int) {
        for (frames, length) in [(0, 0), (1, 11), (2, 11 + 208), (3, 11 + 208 + 6)] {
            let (arrived, failures) = run(.drop(after: .frames(frames)), cutInto: size)
            #expect(arrived.count == length, "\(frames) frames")
            #expect(failures == [.drop], "\(frames) frames")
        }
        let (arrived, failures) = run(.reset(after: .frames(4)), cutInto: size)
        #expect(arrived.count == 225)
        #expect(failures.isEmpty)
    }

    @Test(arguments: [1, 7, 1000]) func bytesAreCounted(_ size: Int) {
        for count in [0, 1, 100, 225] {
            let (arrived, failures) = run(.silence(after: .bytes(count)), cutInto: size)
            #expect(arrived.count == count)
            #expect(failures == [.silence])
        }
        #expect(run(.silence(after: .bytes(226)), cutInto: size).failures.isEmpty)
    }

    @Test func chunksAreNoLargerThanTheyMayBe() {
        var machine = FaultStateMachine(.slow(.seconds(1), chunkBytes: 100))
        let chunks = bytes.withUnsafeBytes { machine.write($0).chunks.map(\.count) }
        #expect(chunks == [100, 100, 25])
    }

    @Test func onlySilenceIsSilent() {
        for (direction, isSilent) in [
            (WebSocketFaults.Direction.silence(after: .frames(1)), true), (.drop(after: .frames(1)), false),
            (.none, false),
        ] {
            var machine = FaultStateMachine(direction)
            #expect(!machine.isSilent)
            _ = bytes.withUnsafeBytes { machine.write($0) }
            #expect(machine.isSilent == isSilent)
        }
    }
}
