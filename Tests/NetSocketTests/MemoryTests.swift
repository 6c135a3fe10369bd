#if os(Linux) && Server
import Foundation
import NetCore
import NetSocket
import Testing

/// A long stream of messages uses as much memory as a short one.
@Suite(.serialized)
struct MemoryTests {
    private static let limit = 16 << 20

    /// Reads a stream of the Python peer to its end; `pause` runs after each MiB.
    private static func read(_ total: Int, pause: (_ megabytes: Int) async throws -> Void) async throws {
        let url = try await PythonPeer.shared.url("/source?bytes=\(total)")
        try await Fixture.run { fixture in
            let socket = try await fixture.client.connect(url)
            var (received, next, start, peak) = (0, 1 << 20, 0, 0)
            for try await message in socket.messages {
                received += message.count
                guard received >= next else { continue }
                next += 1 << 20
                // One-time allocations of the process have been made after the first few.
                if received < 8 << 20 { start = ThisProcess.residentBytes }
                peak = max(peak, ThisProcess.residentBytes)
                try await pause(received >> 20)
            }
            if received != total { ThisProcess.fail("\(received) of \(total) bytes came") }
            print("grew \((peak - start) >> 10) KiB while \(total) bytes came")
            fflush(nil)
            if peak - start > limit { ThisProcess.fail("memory grew by \(peak - start) bytes") }
        }
    }

    private func report(_ child: ExitTest.Result?, _ location: SourceLocation = #_sourceLocation) {
        let lines = String(decoding: child?.standardOutputContent ?? [], as: UTF8.self).split(separator: "\n")
        for line in lines where line.hasPrefix("grew") { print(line) }
        expectNothingPrinted(by: child, location)
    }

    @Test(.enabled(if: PythonPeer.isInstalled), .timeLimit(.minutes(1)))
    func twoHundredMegabytesTakeNoMoreMemoryThanTen() async throws {
        let child = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent, \.standardOutputContent]
        ) {
            try await MemoryTests.read(200_000_000) { megabytes in
                // A slow consumer, so that the sender is ahead of it.
                try await Task.sleep(for: .milliseconds(megabytes % 20 == 0 ? 200 : 2))
            }
        }
        report(child)
    }

    /// Takes 200 seconds, so it runs only on request.
    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["NET_SOAK"] == "1" && PythonPeer.isInstalled),
        .timeLimit(.minutes(10)))
    func twoGigabytesAtTenMegabytesASecondTakeNoMoreMemoryThanTen() async throws {
        let child = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent, \.standardOutputContent]
        ) {
            let clock = ContinuousClock()
            let start = clock.now
            try await MemoryTests.read(2_000_000_000) { megabytes in
                try await clock.sleep(until: start + .seconds(Double(megabytes) * 1.048576 / 10))
            }
        }
        report(child)
    }
}
#endif
