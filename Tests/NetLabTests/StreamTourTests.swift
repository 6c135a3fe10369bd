#if Tools && Server
import HTTPTypes
import NetTesting
import Testing

@testable import net_lab

@Suite struct StreamTourTests {
    @Test func `stream ends well`() async throws {
        try await #expect(Tour.wrong(in: StreamCommand.self, "--bytes", "400000", "--rate", "100000000").isEmpty)
    }

    @Test func `Events that are missing and bytes that are changed are noticed`() async throws {
        let stubs = [
            Stub(.get, "/reports") { request in
                request.headers["Last-Event-ID"] == nil
                    ? .chunks(["retry: 50\nid: 1\ndata: gale warning\n\n"], contentType: "text/event-stream")
                    : .status(.noContent)
            },
            Stub(.get, "/atlas", .bytes(repeatElement(0, count: 1000))),
        ]
        let wrong = try await Tour.wrong { steps in
            try await Workbench.with(.mock, stubs) { bench in
                try await StreamTour(client: bench.client(), bytes: 2000, steps: steps).run()
            }
        }
        #expect(wrong == ["events", "length", "body"])
    }
}
#endif
